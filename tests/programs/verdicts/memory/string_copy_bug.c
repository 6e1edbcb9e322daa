// expect: unsafe
// why: an array that is initialised with a literal is a copy of it

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    char a[] = "abc", b[6] = "abc";
    unsigned at = __VERIFIER_nondet_uint() % 3;
    a[at] = 'x';
    check(b[at] != 'x' && b[5] == 0 && a[3] == 0);
    check(a[0] == b[0]);
    return 0;
}
