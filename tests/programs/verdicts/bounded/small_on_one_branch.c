// expect: safe
// strategies: auto, bounded
// why: a number is small on one branch only; behind both it may be anything but one value

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned digits = 9;
    if (n <= 9) {
        digits = 1;
    } else if (n == 1000) {
        return 0;
    }
    if ((digits == 1 && n > 9) || n == 1000) {
        reach_error();
    }
    if (n % 1000 == 0 && n / 1000 == 1) {
        reach_error();
    }
    return 0;
}
