// expect: safe
// strategies: auto, bounded
// why: a bound is computed with constant floating-point numbers

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static unsigned fill(unsigned capacity, unsigned *cells, unsigned value) {
    unsigned most = (unsigned)(capacity * 0.77 + 0.5), count = 0;
    while (count < most)
        cells[count++] = value;
    return count;
}

int main(void) {
    unsigned cells[8], value = __VERIFIER_nondet_uint();
    unsigned count = fill(8, cells, value);
    float half = (float)count / 4.0f;
    if (count != 6 || cells[5] != value || half > 1.5f)
        reach_error();
    return 0;
}
