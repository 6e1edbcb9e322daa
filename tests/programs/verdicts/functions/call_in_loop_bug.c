// expect: unsafe
// why: one call is missing

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int count;

static void step(void) { count++; }

int main(void) {
    for (int i = 0; i < 3; i++)
        step();
    check(count == 4);
    return 0;
}
