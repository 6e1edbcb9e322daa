// inputs: 1
// expect: halted
// inputs: 0
// expect: finished 0
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void give_up(void) __attribute__((noreturn));

int main(void) {
    if (__VERIFIER_nondet_int()) {
        give_up();
        reach_error();
    }
    return 0;
}
