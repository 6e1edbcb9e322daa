// expect: safe
// strategies: auto, summaries
// why: each call stays in the array

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int a[8];

static int sum(int i) {
    if (i < 0 || i >= 8)
        return 0;
    if (a[i] != 0)
        return 1;
    return sum(i + 1);
}

int main(void) {
    int found = sum(0);
    check(found == 0 || found == 1);
    return 0;
}
