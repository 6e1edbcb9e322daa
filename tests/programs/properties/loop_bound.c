// inputs: 5, 4
// expect: violation at 14:13
// inputs: 4, 5
// expect: finished 0
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    unsigned i = 0;
    while (i < n) {
        i++;
        if (i > m) {
            reach_error();
        }
    }
    return 0;
}
