// expect: unsafe
// why: the third character is a letter

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    const char *s = "abc";
    check(s[0] == 'a' && s[2] == 0);
    return 0;
}
