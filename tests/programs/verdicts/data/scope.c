// expect: safe
// why: a variable of an inner block is another one

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 1;
    {
        int x = __VERIFIER_nondet_int();
        x++;
    }
    check(x == 1);
    return 0;
}
