// expect: unsafe
// why: the nested function adds something else

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    auto int next(int);
    int number = __VERIFIER_nondet_int();
    if (number < 0 || number > 9)
        return 0;
    int result = next(number);
    int next(int x) {
        return x + 2;
    }
    if (result != number + 1)
        reach_error();
    return 0;
}
