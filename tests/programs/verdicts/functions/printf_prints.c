// expect: safe
// why: printing changes nothing

extern void reach_error(void);

extern int printf(const char *, ...);

int main(void) {
    int x = 3;
    printf("abc%d\n", x);
    if (x != 3)
        reach_error();
    return 0;
}
