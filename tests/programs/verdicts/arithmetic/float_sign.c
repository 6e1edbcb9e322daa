// expect: safe
// why: the sign of a floating-point number is a bit, and zero is false with either sign

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    double zero = __VERIFIER_nondet_int() ? 0.0 : -0.0;
    if (zero)
        reach_error();
    if (!__builtin_signbit(-1.5f))
        reach_error();
    return 0;
}
