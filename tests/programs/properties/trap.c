// inputs: 0
// expect: aborted
// inputs: 1
// expect: finished 0
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (!__VERIFIER_nondet_int()) {
        __builtin_trap();
    }
    return 0;
}
