// inputs: 10
// expect: violation at 13:5
// inputs: 9
// expect: finished 0
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < n; i++) {
        sum += i;
    }
    assert(sum < 40);
    return 0;
}
