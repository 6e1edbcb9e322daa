// expect: safe
// check: assertions,use-after-free
// strategies: auto, bounded
// why: an object lives until its block is left; a jump backwards in the block does not end its life

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct s {
    int i;
};

/* The example of C11 6.5.2.5p16. */
static void literal(void) {
    struct s *p = 0, *q;
    int j = 0;
again:
    q = p, p = &((struct s){ j++ });
    if (j < 2)
        goto again;
    check(p == q && q->i == 1);
}

static void backwards(void) {
    int *p = 0;
again:
    if (p) {
        check(*p == 5);
        return;
    }
    int x = 5;
    p = &x;
    goto again;
}

static void initialised_again(void) {
    int *p = 0, n = 0;
again:;
    int x = p ? *p + 1 : 0;
    p = &x;
    if (n++ < 2)
        goto again;
    check(x == 2);
}

static void condition(void) {
    int *p = 0, n = 0;
    while (*(p = &(int){ p ? *p + 1 : 0 }) < 2)
        n++;
    check(n == 2);
}

static void into_blocks(int c) {
    int *p;
    switch (c) {
        int y;
    case 1:
        y = 5;
        p = &y;
        check(*p == 5);
        break;
    default:
        goto in;
    }
    if (c == 3) {
        int z = 3;
        p = &z;
    in:
        z = 4;
        p = &z;
        check(*p == 4);
    }
}

static int left(void) {
    int *p = 0, n = 0, r = 0;
    while (1) {
    again:
        if (n == 2) {
            r = *p;
            break;
        }
        int x = n;
        p = &x;
        n++;
        goto again;
    }
    return r;
}

int main(void) {
    literal();
    backwards();
    initialised_again();
    condition();
    into_blocks(__VERIFIER_nondet_int());
    check(left() == 1);
    return 0;
}
