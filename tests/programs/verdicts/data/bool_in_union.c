// expect: safe
// why: a `_Bool` that is read as another type's 0 or 1 is defined

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

union {
    unsigned char byte;
    _Bool truth;
} u;

int main(void) {
    u.byte = __VERIFIER_nondet_uchar() & 1;
    if ((u.byte == 1) != u.truth)
        reach_error();
    return 0;
}
