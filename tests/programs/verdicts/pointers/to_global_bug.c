// expect: unsafe
// why: the other one may be written

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int g, h;

int main(void) {
    int *p = __VERIFIER_nondet_bool() ? &g : &h;
    *p = 1;
    check(g == 1);
    return 0;
}
