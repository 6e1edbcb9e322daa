// expect: safe
// why: an address keeps its object through operations on bits

extern void reach_error(void);

int main(void) {
    int x = 5;
    unsigned long n = (unsigned long)&x;
    n = __builtin_bswap64(__builtin_bswap64(n));
    if (*(int *)n != 5)
        reach_error();
    return 0;
}
