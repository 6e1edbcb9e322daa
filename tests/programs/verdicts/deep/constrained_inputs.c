// expect: safe
// why: the second number is the next one after the first

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    int first = __VERIFIER_nondet_int();
    __VERIFIER_assume(first > 700 && first < 720);
    int second = __VERIFIER_nondet_int();
    __VERIFIER_assume(second == first + 1);
    int rounds = 0;
    for (int at = first; at <= second; at++)
        rounds++;
    if (rounds != 2)
        reach_error();
    return 0;
}
