// expect: safe
// why: a mask bounds a number

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    check((a & 7) < 8);
    return 0;
}
