// expect: safe
// strategies: auto, bounded
// why: elements of an allocated array are apart

extern void *malloc(unsigned long);
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct pair {
    int key;
    long value;
};

int main(void) {
    struct pair *table = malloc(4 * sizeof *table);
    for (int i = 0; i < 4; i++) {
        table[i].key = i;
        table[i].value = 10 * i;
    }
    unsigned at = __VERIFIER_nondet_uint() % 4;
    table[at].value = 1;
    check(table[at].key == (int)at);
    check(table[2].value == 20 || at == 2);
    return 0;
}
