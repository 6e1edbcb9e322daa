// expect: safe
// why: a string ends with a zero

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    const char *s = "abc";
    check(s[0] == 'a' && s[3] == 0);
    return 0;
}
