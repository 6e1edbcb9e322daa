// expect: unsafe
// why: what was stored through one pointer is read through the other

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void both(int n, int *first, int *second) {
    int own = 0;
    *first = 1;
    *second = 2;
    if (*first == 2 && n < 100)
        reach_error();
    if (n > 0 && n < 100)
        both(n - 1, &own, &own);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int start = 0;
    both(n, &start, &start);
    return 0;
}
