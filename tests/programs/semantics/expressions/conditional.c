// ?: with operands of different types, GNU's two-operand form, short circuits, comma.
#include <stdio.h>

#define NAME(e)                                                                              \
    _Generic((e), int: "int", unsigned: "uint", long long: "llong", double: "double",        \
             float: "float", unsigned long long: "ullong", char *: "char *",                 \
             const char *: "const char *", void *: "void *", int *: "int *",                 \
             const int *: "const int *", const void *: "const void *", default: "other")

static int calls;
static int count(int v) {
    calls++;
    return v;
}

static void nothing(void) { calls += 100; }

struct s {
    int v;
};

int main(void) {
    int zero = 0, one = 1;
    signed char c = -1;
    unsigned u = 1;
    int object = 5;
    const int constant = 6;
    char text[] = "text";
    printf("%s %s %s\n", NAME(one ? c : 'x'), NAME(one ? c : u), NAME(one ? 1 : 2.0));
    printf("%s %s %s\n", NAME(one ? 1.0f : 2), NAME(one ? 1LL : u), NAME(one ? -1LL : 1ULL));
    printf("%s %s %s\n", NAME(one ? text : 0), NAME(one ? text : (void *)&object), NAME(one ? &object : &constant));
    printf("%s %s\n", NAME(one ? (const char *)text : text), NAME(one ? (const void *)0 : &object));
    printf("%lld %lld\n", (long long)(one ? c : u), (long long)(one ? c : 1LL));
    printf("%g %g\n", one ? 1 : 2.5, zero ? 1 : 2.5);
    printf("%d %d\n", one ? -1 : 0u > 5, (one ? -1 : 0u) > 5);
    printf("%d %d\n", zero ? 1 : zero ? 2 : 3, one ? zero ? 4 : 5 : 6);

    printf("%d %d\n", zero ?: 7, one ?: 8);
    printf("%d ", count(9) ?: count(10));
    printf("%d ", count(0) ?: count(10));
    printf("%d\n", calls);
    int i = 3;
    printf("%d ", i++ ?: -1);
    printf("%d\n", i);
    printf("%s\n", (char *)0 ?: "default");
    printf("%g\n", 0.0 ?: 1.5);
    printf("%s\n", NAME(one ?: 2.0));

    calls = 0;
    int r = count(0) && count(1);
    r = r * 2 + (count(1) && count(2));
    r = r * 2 + (count(0) || count(0));
    r = r * 2 + (count(5) || count(0));
    printf("%d %d\n", r, calls);
    if (count(1) && (count(0) || count(3)) && !count(0)) {
        printf("taken %d\n", calls);
    }
    printf("%d %d\n", one && 0.5, zero || text);
    printf("%d\n", !0.0 + !text + !!3);
    calls = 0;
    one ? nothing() : (void)0;
    zero ? (void)0 : nothing();
    printf("%d\n", calls);
    i = (count(1), count(2), 40) + 2;
    printf("%d %d\n", i, calls);
    for (int a = 0, b = 10; a < b; a++, b--) {
        i += a * b;
    }
    printf("%d\n", i);
    struct s s = {1}, t = {2};
    printf("%d %d\n", (one ? s : t).v, (zero ? s : t).v);
    (one ? &s : &t)->v = 9;
    *(zero ? &s.v : &t.v) = 8;
    printf("%d %d\n", s.v, t.v);
    int (*f)(int) = one ? count : 0;
    printf("%d\n", f(3));
    return 0;
}
