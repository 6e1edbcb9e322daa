// expect: unsafe
// strategies: auto
// why: only a test run gets behind 60,000 samples, and the last of them need not be zero

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 500

int main(void) {
    int ring[SIZE];
    unsigned taken = 0, next = 0;
    while (taken < 60000) {
        ring[next] = __VERIFIER_nondet_int();
        next++;
        if (next == SIZE)
            next = 0;
        taken++;
    }
    if (ring[SIZE - 1] != 0)
        reach_error();
    return 0;
}
