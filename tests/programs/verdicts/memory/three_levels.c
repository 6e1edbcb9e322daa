// expect: safe
// why: three levels of pointers in allocated memory

extern void *malloc(unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int ***t = malloc(sizeof *t);
    *t = malloc(2 * sizeof **t);
    (*t)[0] = malloc(sizeof ***t);
    (*t)[1] = malloc(sizeof ***t);
    int x = __VERIFIER_nondet_int();
    *(*t)[0] = x;
    *(*t)[1] = 3;
    check(***t == x);
    return 0;
}
