// expect: unsafe
// strategies: auto; interpolation = unknown; bounded = unknown
// why: `%n` stores how much was printed

extern void reach_error(void);

extern int printf(const char *, ...);

int main(void) {
    int x = 0;
    printf("abc%n", &x);
    if (x == 3)
        reach_error();
    return 0;
}
