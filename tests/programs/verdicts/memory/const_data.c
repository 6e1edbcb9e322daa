// expect: safe
// why: constant data with pointers to other constant data

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct entry {
    const char *name;
    const int *values;
};

static const int primes[] = {2, 3, 5}, squares[] = {1, 4, 9};
static const struct entry entries[] = {{"primes", primes}, {"squares", squares}};

int main(void) {
    unsigned at = __VERIFIER_nondet_uint() % 2;
    const struct entry *e = &entries[at];
    check(e->values[2] == (e->name[0] == 'p' ? 5 : 9));
    return 0;
}
