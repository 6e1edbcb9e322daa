// expect: safe
// why: a variable that was never written has one unknown value

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x;
    int y = x;
    check(x == y);
    return 0;
}
