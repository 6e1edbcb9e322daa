// expect: unknown
// strategies: auto
// why: the contract holds only as long as the index is inside of the array

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int a[8];

static int find(int i) {
    if (a[i] != 0)
        return i;
    return find(i + 1);
}

int main(void) {
    a[__VERIFIER_nondet_uint() % 8] = __VERIFIER_nondet_int();
    int found = find(0);
    check(found < 8);
    return 0;
}
