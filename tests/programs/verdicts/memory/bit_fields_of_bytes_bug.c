// expect: unsafe
// why: bit-fields in memory that is also accessed by bytes: neighbours share a byte

extern void *malloc(unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct flags {
    int count;
    unsigned low : 3;
    unsigned wide : 9;
    int sign : 2;
};

static void clear(unsigned char *bytes, unsigned long size) {
    for (unsigned long i = 0; i < size; i++)
        bytes[i] = 0;
}

int main(void) {
    struct flags *f = malloc(sizeof *f);
    if (!f)
        return 0;
    clear((unsigned char *)f, sizeof *f);
    f->low = 5;
    f->wide = 300;
    f->sign = -1;
    if (__VERIFIER_nondet_int())
        ((unsigned char *)f)[4] = 2;
    if (f->wide != 300 || f->sign != -1 || f->count != 0)
        reach_error();
    if (f->low != 5 && f->low != 2)
        reach_error();
    return 0;
}
