// expect: unsafe
// why: three is not a case any more

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int() & 3, r = 0;
    switch (a) {
    default:
        r = 1;
        break;
    case 0:
        r = 2;
        break;
    case 2:
        r = 4;
    }
    check(r == 1 || a == 0 || a == 3);
    return 0;
}
