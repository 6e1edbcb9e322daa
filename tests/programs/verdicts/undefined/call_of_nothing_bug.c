// expect: unknown
// strategies: auto, interpolation, bounded
// why: the result is known only if the pointer is not null

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int two(void) {
    return 2;
}

static int three(void) {
    return 3;
}

int (*operation)(void);

int main(void) {
    int choice = __VERIFIER_nondet_int();
    if (choice > 0)
        operation = two;
    if (choice < 0)
        operation = three;
    check(operation() >= 2);
    return 0;
}
