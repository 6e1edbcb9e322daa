// inputs: 7
// expect: violation at 11:9
// inputs: 6
// expect: finished 0
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7) {
        reach_error();
    }
    return 0;
}
