// Pointers to functions: tables, members, arguments, results, comparisons, conversions.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
typedef int (*operation)(int, int);

static operation table[] = {add, &sub, *mul};
static int (*const constant_table[2])(int, int) = {[1] = add, [0] = sub};

struct object {
    int value;
    int (*get)(struct object *);
    void (*set)(struct object *, int);
    struct {
        operation op;
    } inner;
};

static int get(struct object *o) { return o->value; }
static void set(struct object *o, int v) { o->value = v; }

static int fold(operation f, int start, const int *p, int n) {
    for (int i = 0; i < n; i++) {
        start = f(start, p[i]);
    }
    return start;
}

static operation choose(char c) {
    switch (c) {
    case '+':
        return add;
    case '-':
        return sub;
    default:
        return mul;
    }
}

static int (*raw_choose(int n))(int, int) { return table[n]; }
static int twice(int f(int, int), int x) { return f(f(x, x), x); }
static void noop(void) { printf("noop\n"); }
static struct object make(operation f) { return (struct object){1, get, set, {f}}; }
static double average(double a, double b) { return (a + b) / 2; }
static long long widen(char c, short s, long long l) { return c + s + l; }

static int depth(int n, int (*self)(int, void *), void *p) { return n ? self(n - 1, p) + 1 : 0; }
static int recurse(int n, void *p) { return depth(n, recurse, p); }

int main(void) {
    for (int i = 0; i < 3; i++) {
        printf("%d ", table[i](7, 3));
        printf("%d ", (*table[i])(7, 3));
        printf("%d\n", (***table[i])(8, 2));
    }
    printf("%d %d\n", constant_table[0](1, 2), constant_table[1](1, 2));
    struct object o = {5, get, set, {mul}};
    o.set(&o, o.get(&o) + 10);
    printf("%d %d\n", o.get(&o), o.inner.op(o.value, 2));
    struct object *p = &o;
    p->inner.op = choose('-');
    printf("%d\n", p->inner.op(p->get(p), 1));
    int values[] = {1, 2, 3, 4};
    printf("%d %d %d\n", fold(add, 0, values, 4), fold(mul, 1, values, 4), fold(choose('-'), 0, values, 4));
    printf("%d %d\n", choose('*')(6, 7), raw_choose(1)(6, 7));
    printf("%d\n", twice(add, 5));
    printf("%d %d %d\n", table[0] == add, table[1] == add, &add == add);
    void (*nothing)(void) = noop;
    if (nothing) {
        nothing();
    }
    nothing = 0;
    printf("%d\n", nothing == 0);
    printf("%d\n", make(add).inner.op(20, 22));
    double (*real)(double, double) = average;
    printf("%g\n", real(1, 2));
    long long (*wide)(char, short, long long) = widen;
    printf("%lld\n", wide(300, 70000, -5));
    void (*generic)(void) = (void (*)(void))sub;
    printf("%d\n", ((operation)generic)(9, 4));
    operation *cursor = table;
    printf("%d ", (*cursor++)(1, 1));
    printf("%d\n", (*cursor)(1, 1));
    printf("%d\n", recurse(5, 0));
    int (*(*chooser)(int))(int, int) = raw_choose;
    printf("%d\n", chooser(2)(4, 5));
    return 0;
}
