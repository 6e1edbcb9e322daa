// inputs: 1
// expect: finished 1
// inputs: 0
// expect: finished 0
// A label named ERROR is no violation unless the property says so.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int()) {
        goto ERROR;
    }
    return 0;
ERROR:
    return 1;
}
