// expect: unsafe
// why: the other function is called in a defined way

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

extern int __VERIFIER_nondet_int(void);

static int two(int a, int b) {
    return a + b;
}

static int one(int a) {
    return a;
}

int main(void) {
    int choice = __VERIFIER_nondet_int();
    int (*call)(int) = choice ? one : (int (*)(int))two;
    int x = call(4);
    check(choice == 0 || x == 5);
    return 0;
}
