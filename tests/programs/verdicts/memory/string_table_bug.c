// expect: unsafe
// why: a pointer picks one of several literals

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static const char *const names[] = {"one", "two", "three"};

int main(void) {
    unsigned at = __VERIFIER_nondet_uint() % 3;
    const char *p = names[at];
    if (p[0] == 't')
        check(p[1] == 'w' || p[1] == 'e');
    return 0;
}
