// expect: safe
// why: a loop left by break need not satisfy its end condition

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i;
    for (i = 0; i < 6; i++)
        if (__VERIFIER_nondet_bool())
            break;
    check(i <= 6);
    return 0;
}
