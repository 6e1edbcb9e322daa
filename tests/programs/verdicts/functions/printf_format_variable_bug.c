// expect: unsafe
// why: a format that is a variable is one of the texts that it may point to

extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 3;
    const char *format = __VERIFIER_nondet_int() ? "yes %d\n" : "no %d\n";
    printf(format, x);
    if (x == 3)
        reach_error();
    return 0;
}
