// inputs: -1
// expect: violation at 10:9
// inputs: 1
// expect: finished 3
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    if (__VERIFIER_nondet_int() < 0) {
        __VERIFIER_error();
    }
    return 3;
}
