// expect: safe
// strategies: auto, bounded
// why: the digits of a number: quotients of quotients, and cells whose cases are decided by their ranges

extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

static int write_decimal(unsigned long number, char *text) {
    char *first = text, *last = text;
    do {
        *last++ = '0' + number % 10;
        number /= 10;
    } while (number);
    int length = last - text;
    *last-- = 0;
    while (first < last) {
        char kept = *first;
        *first++ = *last;
        *last-- = kept;
    }
    return length;
}

int main(void) {
    char text[24];
    int length = write_decimal(__VERIFIER_nondet_ulong(), text);
    if (length < 1 || length > 20 || text[length])
        reach_error();
    for (int i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            reach_error();
    return 0;
}
