// expect: unsafe
// why: another bit stays as it was

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    check((a | 4) & 8);
    return 0;
}
