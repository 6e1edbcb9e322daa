// inputs: 1
// expect: violation at 6:13
// inputs: 0
// expect: finished 0
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void fine(void) {}

int main(void) {
    void (*table[2])(void) = {fine, reach_error};
    table[__VERIFIER_nondet_int() & 1]();
    return 0;
}
