// The value of an assignment is what was stored, also where the assignment changes what its own left
// operand means: at every operator and every type.
#include <stdio.h>

struct node {
    struct node *p;
    int n;
};

struct bits {
    unsigned u : 3;
    int s : 3;
    _Bool b : 1;
    unsigned long long w : 40;
};

struct pair {
    int i;
    int j;
};

union both {
    int i;
    int a[2];
};

enum colour { RED, GREEN = 5, BLUE };

static int seven(void) {
    return 7;
}

static struct pair pair_of(int i, int j) {
    return (struct pair){ i, j };
}

static void plain(void) {
    int a[2] = { 0, 0 };
    int r = a[a[0]] = 1;
    printf("%d %d %d\n", r, a[0], a[1]);
    a[0] = 0;
    r = a[a[0]] = seven() - 6;
    printf("%d %d %d\n", r, a[0], a[1]);
    a[0] = 0;
    r = (a[a[0]] = (seven(), 1)) + 10;
    printf("%d %d\n", r, a[0]);
    int b[8] = { 0 };
    r = b[b[0]] = seven();
    printf("%d %d %d\n", r, b[0], b[7]);
    b[0] = 0;
    r = b[b[0]] = b[b[1]] = 3;
    printf("%d %d %d\n", r, b[0], b[3]);
    int *p = a, **pp = &p;
    a[0] = 4;
    a[1] = 9;
    r = **pp = 6;
    printf("%d %d\n", r, a[0]);
    r = *(*pp = a + 1) = 8;
    printf("%d %d %d\n", r, a[0], a[1]);
}

static void compound(void) {
    int a[4] = { 0, 20, 30, 40 };
    int r = a[a[0]] += 1;
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = ++a[a[0]];
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = a[a[0]]++;
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = a[a[0]] |= 2;
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = a[a[0]] ^= seven() - 4;
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = (a[a[0]] -= -1) ? a[a[0]] : -5;
    printf("%d\n", r);
    int i = 0, c[3] = { 1, 2, 3 };
    r = c[i++] *= 5;
    printf("%d %d %d\n", r, i, c[0]);
    int *p = c;
    r = *p++ = 9;
    printf("%d %d\n", r, (int)(p - c));
    r = (*++p)--;
    printf("%d %d\n", r, c[2]);
    int *q[2] = { c, c };
    int **s = q;
    r = (int)((*s++ += 2) - c);
    printf("%d %d %d\n", r, (int)(q[0] - c), (int)(s - q));
}

static void pointers(void) {
    struct node x = { &x, 1 }, y = { &x, 2 };
    struct node *r = x.p->p = 0;
    printf("%d %d\n", r == 0, x.p == 0);
    r = y.p->p = &y;
    printf("%d %d\n", r == &y, x.p == &y);
    x.p = &x;
    int n = (x.p->p = &y) == &y ? x.p->n : -1;
    printf("%d\n", n);
    void *v = &v;
    void *w = *(void **)v = 0;
    printf("%d %d\n", v == 0, w == 0);
    struct node *z = &x;
    x.p = &y;
    printf("%d\n", (z = z->p)->n);
    x = (struct node){ &x, 0 };
    if ((x.p->p = &y))
        printf("not null\n");
    while ((x.p = 0))
        printf("never\n");
}

static void narrow(void) {
    unsigned char c[4] = { 0 };
    int r = c[c[0]] = 258;
    printf("%d %d\n", r, c[0]);
    signed char d[4] = { 0 };
    r = d[d[0]] = 511;
    printf("%d %d\n", r, d[0]);
    short h[4] = { 0 };
    long l = h[h[0]] = 65539;
    printf("%ld %d\n", l, h[0]);
    _Bool b[2] = { 0 };
    r = b[b[0]] = 42;
    printf("%d %d %d\n", r, b[0], b[1]);
    b[0] = 0;
    r = b[b[0]] += 7;
    printf("%d %d\n", r, b[0]);
    r = b[0]--;
    printf("%d %d\n", r, b[0]);
    r = --b[b[1]];
    printf("%d %d\n", r, b[0]);
    enum colour e[7] = { RED };
    r = e[e[0]] = BLUE;
    printf("%d %d\n", r, e[0]);
    float f[2] = { 0 };
    double g = f[(int)f[0]] = 1.1;
    printf("%d %d\n", g == 1.1f, g == 1.1);
    long double m[2] = { 0 };
    g = m[(int)m[0]] = 1;
    printf("%g %g\n", g, (double)m[0]);
    c[0] = 0;
    r = c[c[0]] += 257;
    printf("%d\n", r);
    c[0] = 0;
    r = --c[c[0]];
    printf("%d %d\n", r, c[0]);
    unsigned long long q = c[1] = -1;
    printf("%llu\n", q);
    r = (c[2] = 300) == 300;
    printf("%d\n", r);
}

static void bit_fields(void) {
    struct bits t[8] = { { 0 } };
    int r = t[t[0].u].u = 9;
    printf("%d %d\n", r, t[0].u);
    t[0].u = 0;
    r = t[t[0].u].s = 7;
    printf("%d %d\n", r, t[0].s);
    r = t[t[0].b].b = 2;
    printf("%d %d %d\n", r, t[0].b, t[1].b);
    r = t[t[0].u].u += 9;
    printf("%d %d\n", r, t[0].u);
    t[0].u = 0;
    r = --t[t[0].u].u;
    printf("%d %d\n", r, t[0].u);
    t[0].u = 0;
    r = t[t[0].u].u--;
    printf("%d %d\n", r, t[0].u);
    t[0].w = 0;
    unsigned long long l = t[t[0].w].w = (1ull << 41) + 1;
    printf("%d %d\n", l == t[0].w, (int)(l & 1));
    struct bits *p = t;
    r = (p++)->s = -5;
    printf("%d %d %d\n", r, t[0].s, (int)(p - t));
    volatile struct bits k;
    r = k.u = 15;
    printf("%d\n", r);
    printf("%d\n", (k.s = 4) < 0);
}

static void structures(void) {
    struct pair t[3] = { { 0, 1 }, { 2, 3 }, { 4, 5 } };
    struct pair r = t[t[0].i] = (struct pair){ 2, 9 };
    printf("%d %d %d %d\n", r.i, r.j, t[0].i, t[2].j);
    t[0].i = 0;
    int j = (t[t[0].i] = pair_of(1, 8)).j;
    printf("%d %d %d\n", j, t[0].i, t[1].j);
    t[0].i = 0;
    r = t[t[0].i] = t[1];
    printf("%d %d\n", r.i, r.j);
    struct pair a, b, c;
    a = b = c = t[2];
    printf("%d %d %d\n", a.i, b.j, c.i);
    union both u = { 0 };
    j = u.a[u.i] = 1;
    printf("%d %d %d\n", j, u.i, u.a[0]);
    u.i = 0;
    union both v = *(u.i ? 0 : &u) = (union both){ 1 };
    printf("%d\n", v.i);
}

static void nested(void) {
    volatile int v[2] = { 0, 0 };
    int r = v[v[0]] = 1;
    printf("%d\n", r);
    int a[2] = { 0, 5 };
    r = ({ a[a[0]] = 1; });
    printf("%d\n", r);
    a[0] = 0;
    r = (0, a[a[0]] = 1);
    printf("%d\n", r);
    a[0] = 0;
    r = seven() == 7 ? (a[a[0]] = 1) : 3;
    printf("%d\n", r);
    a[0] = 0;
    r = (a[a[0]] = 1) && a[1] == 5;
    printf("%d\n", r);
    a[0] = 0;
    switch (a[a[0]] = 1) {
    case 1: printf("one\n"); break;
    default: printf("other\n");
    }
    a[0] = 0;
    r = (a[a[0]] = 1) ?: 7;
    printf("%d\n", r);
    a[0] = 0;
    int s = a[a[0]] = r = 1;
    printf("%d\n", s);
    a[0] = 0;
    printf("%d\n", seven() - (a[a[0]] = 1));
    a[0] = 0;
    int b[2] = { a[a[0]] = 1, 4 };
    printf("%d %d\n", b[0], b[1]);
}

static void atomics(void) {
    int a[8] = { 0 };
    int r = __atomic_add_fetch(&a[a[0]], 1, __ATOMIC_SEQ_CST);
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = __sync_fetch_and_add(&a[a[0]], 1);
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = __sync_or_and_fetch(&a[a[0]], 6);
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = __atomic_exchange_n(&a[a[0]], 3, __ATOMIC_RELAXED);
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = __sync_bool_compare_and_swap(&a[a[0]], 0, 5);
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = __sync_val_compare_and_swap(&a[a[0]], 0, 5);
    printf("%d %d\n", r, a[0]);
    a[0] = 0;
    r = __builtin_add_overflow(a[a[0]], 2147483647, &a[a[0]]);
    printf("%d %d\n", r, a[0]);
    unsigned char c = 255;
    r = __atomic_add_fetch(&c, 2, __ATOMIC_SEQ_CST);
    printf("%d %d\n", r, c);
    _Atomic int m = 4;
    r = m += 3;
    printf("%d %d\n", r, m);
    r = m++ + 1;
    printf("%d %d\n", r, m);
}

int main(void) {
    plain();
    compound();
    pointers();
    narrow();
    bit_fields();
    structures();
    nested();
    atomics();
    return 0;
}
