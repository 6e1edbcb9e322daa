// expect: safe
// why: memset from one member on clears the next one too

extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct pair {
    int first, second, third;
};

int main(void) {
    struct pair *p = malloc(sizeof *p);
    p->first = 1;
    p->second = 2;
    p->third = 3;
    memset(&p->first, 0, 2 * sizeof(int));
    check(p->third == 3 || p->second != 2);
    return 0;
}
