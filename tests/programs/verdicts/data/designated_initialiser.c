// expect: safe
// why: members without an initialiser are zero

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct triple {
    int a, b, c;
};

int main(void) {
    struct triple t = { .c = 3 };
    check(t.a == 0 && t.b == 0 && t.c == 3);
    return 0;
}
