// expect: unsafe
// strategies: auto
// why: gcc knows the types of functions of the library that are not declared, so arguments and results are converted

extern void reach_error(void);

int main(void) {
    double whole;
    double half = __builtin_modf(2.5, &whole);
    if (strncasecmp("ABc", "abd", 2) == 0)
        reach_error();
    return half > whole;
}
