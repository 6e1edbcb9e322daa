// expect: safe
// why: no index leads to the violation, defined or not

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[1025];

int main(void) {
    int j = __VERIFIER_nondet_int();
    a[j] = 1;
    if (j > 5 && j < 5)
        reach_error();
    return 0;
}
