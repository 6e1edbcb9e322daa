// expect: safe
// why: a function that is called before it is declared turns out to return nothing, which gcc warns about

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int total;

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10)
        return 0;
    add(n);
    add(n);
    if (total != 2 * n)
        reach_error();
    return 0;
}

void add(int n) {
    total += n;
}
