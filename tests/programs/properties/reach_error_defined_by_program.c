// inputs: 1
// expect: violation at 12:9
// inputs: 0
// expect: finished 0
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

void __VERIFIER_assert(int condition) {
    if (!condition) {
    ERROR: {
        reach_error();
        abort();
    }
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x == 0);
    return 0;
}
