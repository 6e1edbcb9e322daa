// expect: safe
// strategies: auto, interpolation
// why: the index into the ring never leaves it, however many samples come

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
    if (next >= SIZE)
        reach_error();
    return 0;
}
