// expect: safe
// why: a string literal ends with a zero

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    const char *p = "walk";
    int n = 0;
    while (*p++)
        n++;
    check(n == 4);
    return 0;
}
