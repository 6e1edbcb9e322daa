// expect: safe
// why: a pointer may point to an element

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static void set(int *p) { *p = 9; }

int main(void) {
    int a[3] = { 0 };
    unsigned i = __VERIFIER_nondet_uint() % 3;
    set(&a[i]);
    check(a[0] + a[1] + a[2] == 9);
    return 0;
}
