// expect: unsafe
// why: five is more than x and not more than five

int nondet_int(void);
void __CPROVER_assume(int condition);
void __CPROVER_assert(int condition, const char *text);
void __ESBMC_assume(int condition);
void __ESBMC_assert(int condition, const char *text);
void klee_assume(unsigned long condition);
void __VERIFIER_assert(int condition);

int main(void) {
    int x = nondet_int(), y = nondet_int(), z = nondet_int();
    __CPROVER_assume(x > 3);
    __CPROVER_assert(x > 2, "more than three");
    __ESBMC_assume(y > x);
    __ESBMC_assert(y > 5, "more than that");
    klee_assume(z > y && z < 100);
    __VERIFIER_assert(z > 5);
    return 0;
}
