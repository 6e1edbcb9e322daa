// expect: unsafe
// why: four rounds are possible

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_bool()) {
        x++;
        y++;
    }
    check(x == y && x < 4);
    return 0;
}
