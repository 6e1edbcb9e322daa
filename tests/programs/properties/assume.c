// inputs: 3
// expect: assumption failed at 13:23
// inputs: 20
// expect: violation at 15:9
// inputs: 12
// expect: finished 0
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 10);
    if (x >= 20) {
        reach_error();
    }
    return 0;
}
