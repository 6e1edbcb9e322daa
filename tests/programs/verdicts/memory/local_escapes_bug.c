// expect: unsafe
// why: a callee writes a local of its caller

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int *kept;

static void keep(int *p) {
    kept = p;
}

static void write(int value) {
    *kept = value;
}

int main(void) {
    int x = 1, y = 2;
    keep(&x);
    write(3);
    check(x == y);
    return 0;
}
