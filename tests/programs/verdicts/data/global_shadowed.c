// expect: safe
// why: a local hides a global of the same name

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int g = 1;

static int get(void) { return g; }

int main(void) {
    int g = 5;
    g++;
    check(get() == 1);
    return 0;
}
