// expect: safe
// why: cases fall through without break

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), r = 0;
    switch (a) {
    case 1:
        r += 1;
    case 2:
        r += 2;
        break;
    default:
        r = 9;
    }
    check(a != 1 || r == 3);
    return 0;
}
