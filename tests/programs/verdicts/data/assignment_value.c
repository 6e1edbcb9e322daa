// expect: safe
// check: assertions,null,bounds
// strategies: auto, bounded
// why: an assignment yields what it stored, even if it changes what its left operand means

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct node {
    struct node *p;
    int n;
};

struct bits {
    unsigned u : 3;
    int s : 3;
};

struct pair {
    int i, j;
};

static int any(void) {
    return __VERIFIER_nondet_int();
}

static void arrays(int v) {
    int a[4] = { 0, 0, 7, 7 };
    int r = a[a[0]] = 1;
    check(r == 1);
    a[0] = 0;
    r = a[a[0]] += 2;
    check(r == 2);
    a[0] = 0;
    r = ++a[a[0]];
    check(r == 1);
    a[0] = 0;
    r = a[a[0]]++;
    check(r == 0);
    a[0] = 0;
    r = a[a[0]] = __VERIFIER_nondet_int();
    check(r == a[0]);
    a[0] = 0;
    r = a[a[0]] = any();
    check(r == a[0]);
    a[0] = 0;
    check((a[a[0]] = v) == v);
}

static void narrow(int v) {
    unsigned char c[4] = { 0 };
    int r = c[c[0]] = v;
    check(r == (v & 255));
    _Bool b[2] = { 0 };
    r = b[b[0]] = v;
    check(r == (v != 0));
}

static void members(int v) {
    struct bits t[8] = { { 0 } };
    int r = t[t[0].u].u = v;
    check(r == (v & 7));
    struct pair q[2] = { { 0, 0 } };
    struct pair p = q[q[0].i] = (struct pair){ 1, v };
    check(p.i == 1 && p.j == v);
}

static void pointers(void) {
    struct node x = { &x, 1 }, y = { &x, 2 };
    struct node *r = y.p->p = &y;
    check(r == &y);
    x.p = &x;
    r = x.p->p = 0;
    check(r == 0);
    void *v = &v;
    check((*(void **)v = 0) == 0);
}

int main(void) {
    int v = __VERIFIER_nondet_int();
    arrays(v);
    narrow(v);
    members(v);
    pointers();
    return 0;
}
