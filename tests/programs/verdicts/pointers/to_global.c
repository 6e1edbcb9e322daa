// expect: safe
// why: a pointer may point to a global

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
    check(g + h == 1);
    return 0;
}
