// expect: unsafe
// strategies: auto, bounded
// why: the last square is not that of the length

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 6)
        return 0;
    unsigned squares[n];
    for (unsigned i = 0; i < n; i++)
        squares[i] = i * i;
    if (squares[n - 1] == 25)
        reach_error();
    return 0;
}
