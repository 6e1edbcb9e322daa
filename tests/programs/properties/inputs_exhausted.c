// inputs: 1, 2
// expect: inputs exhausted at 9:13
// inputs: 1, 2, 0
// expect: finished 3
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0, x;
    while ((x = __VERIFIER_nondet_int())) {
        sum += x;
    }
    return sum;
}
