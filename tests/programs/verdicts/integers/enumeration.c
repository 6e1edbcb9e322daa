// expect: safe
// why: enumerators count on from the last value

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

enum colour { red = 4, green, blue };

int main(void) {
    enum colour c = __VERIFIER_nondet_int() ? green : blue;
    check(c == 5 || c == 6);
    return 0;
}
