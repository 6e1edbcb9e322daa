// expect: safe
// why: continue skips the rest of the body but not the step

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 6; i++) {
        if (i % 2)
            continue;
        n++;
    }
    check(n == 3);
    return 0;
}
