// expect: unsafe
// strategies: auto, bounded
// why: some may be equal

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int order(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int main(void) {
    int values[3], mixed = 0;
    for (int i = 0; i < 3; i++) {
        values[i] = __VERIFIER_nondet_int();
        mixed ^= values[i];
    }
    qsort(values, 3, sizeof values[0], order);
    if (values[0] > values[1] || values[1] >= values[2])
        reach_error();
    if (mixed != (values[0] ^ values[1] ^ values[2]))
        reach_error();
    return 0;
}
