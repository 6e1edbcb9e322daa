// expect: safe
// strategies: auto, bounded
// why: a program without inputs is run

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    char composite[100] = {0};
    int count = 0;
    for (int i = 2; i < 100; i++) {
        if (composite[i])
            continue;
        count++;
        for (int j = i * i; j < 100; j += i)
            composite[j] = 1;
    }
    check(count == 25);
    return 0;
}
