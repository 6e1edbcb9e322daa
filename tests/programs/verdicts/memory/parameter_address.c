// expect: safe
// why: the address of a parameter is that of a copy

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int increment(int value) {
    int *p = &value;
    *p += 1;
    return value;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int old = x;
    int y = increment(x);
    check(x == old);
    return 0;
}
