// expect: unknown
// strategies: auto
// why: a `_Bool` whose byte is 2 may be true or false

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    _Bool b = 0;
    unsigned char byte = __VERIFIER_nondet_uchar();
    if (byte == 0 || byte > 2)
        return 0;
    *(unsigned char *)&b = byte;
    if (!b)
        reach_error();
    return 0;
}
