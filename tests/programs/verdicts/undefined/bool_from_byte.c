// expect: safe
// strategies: auto
// why: what is written to the byte of a `_Bool` is 0 or 1

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    _Bool b = 0;
    unsigned char byte = __VERIFIER_nondet_uchar();
    if (byte == 0 || byte > 1)
        return 0;
    *(unsigned char *)&b = byte;
    if (!b)
        reach_error();
    return 0;
}
