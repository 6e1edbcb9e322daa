// expect: safe
// strategies: auto, summaries; interpolation = unknown; bounded = unknown
// why: two functions call each other with pointers to their variables, hand pointers on, and store a result where one points to

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int even(int n, int *rounds, int *last);

static int odd(int n, int *rounds, int *last) {
    int own = 0;
    if (n <= 0)
        return 0;
    own = even(n - 1, &own, last);
    *rounds = own;
    return own;
}

static int even(int n, int *rounds, int *last) {
    int own = 1;
    if (n <= 0) {
        *last = 5;
        return 1;
    }
    own = odd(n - 1, rounds, last);
    *last = *last == 5 ? 7 : 5;
    return own;
}

int main(void) {
    int rounds = 0;
    int last = 5;
    int result = even(__VERIFIER_nondet_int(), &rounds, &last);
    if (result < 0 || result > 1 || (last != 5 && last != 7))
        reach_error();
    return 0;
}
