// expect: unknown
// why: what follows a store through a null pointer is not an execution

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 0;
    int *p = __VERIFIER_nondet_bool() ? &x : 0;
    *p = 1;
    check(p != 0 && x == 1);
    return 0;
}
