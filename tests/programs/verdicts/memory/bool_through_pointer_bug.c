// expect: unsafe
// why: a bool that is written through a pointer is 0 or 1

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static void set(_Bool *flag, int value) {
    *flag = value;
}

int main(void) {
    _Bool flags[2] = {0, 0};
    set(&flags[1], __VERIFIER_nondet_int());
    check(flags[0] == 0 && (flags[1] == 0 || flags[1] == 1));
    check(flags[1] == 0);
    return 0;
}
