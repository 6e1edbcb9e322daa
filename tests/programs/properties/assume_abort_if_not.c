// inputs: 3
// expect: aborted
// inputs: 20
// expect: violation at 21:9
// inputs: 12
// expect: finished 0
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void assume_abort_if_not(int condition) {
    if (!condition) {
        abort();
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 10);
    if (x >= 20) {
        reach_error();
    }
    return 0;
}
