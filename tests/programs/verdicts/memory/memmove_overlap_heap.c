// expect: safe
// why: memmove in allocated memory reads all before it writes

extern void *malloc(unsigned long);
extern void *memmove(void *, const void *, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    long *p = malloc(3 * sizeof *p);
    p[0] = 1;
    p[1] = 2;
    p[2] = 3;
    memmove(p + 1, p, 2 * sizeof *p);
    check(p[2] == 2 || p[2] != 1);
    return 0;
}
