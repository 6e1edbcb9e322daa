// sizeof, typeof, _Generic, _Static_assert, __extension__ and types of expressions.
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int has 32 bits");
_Static_assert(sizeof(void *) == sizeof(long), "as in ILP32 and LP64");

struct s {
    int a[7];
    char c;
};

typedef int vector[4];
typedef int (*callback)(vector, ...);

static int side;
static int effect(void) { return ++side; }
static int takes_array(int a[10]) { return sizeof(a) == sizeof(int *); }

#define KIND(e)                                                                               \
    _Generic((e), int: "int", const int *: "const int *", int *: "int *", char *: "char *",   \
             double: "double", float: "float", struct s: "struct s", int (*)(void): "function", \
             long double: "long double", int (*)[4]: "pointer to array", void *: "void *",     \
             unsigned long: "ulong", unsigned: "uint", default: "default")

int main(void) {
    int i = 1;
    short h = 2;
    struct s s = {{0}};
    vector v = {1, 2, 3, 4};
    printf("%d %d %d\n", (int)sizeof i, (int)sizeof(h + h), (int)sizeof(char));
    printf("%d %d %d\n", (int)sizeof s, (int)sizeof s.a, (int)sizeof(vector));
    printf("%d %d %d\n", (int)sizeof(v) / (int)sizeof(v[0]), (int)sizeof(&v) == sizeof(int *), (int)sizeof(*&v));
    printf("%d %d\n", (int)sizeof(effect()), (int)sizeof(i++));
    printf("%d %d %d\n", side, i, takes_array(v));
    printf("%d %d\n", (int)sizeof(1.0f * 2), (int)sizeof(1.0f * 2.0));
    printf("%d %d\n", (int)sizeof(void), (int)sizeof(main));
    printf("%d\n", (int)sizeof(struct { char a; struct s b[2]; }));
    printf("%d\n", (int)sizeof(int[3][4][5]));
    printf("%s %s %s %s\n", KIND(i), KIND(&i), KIND((const int *)&i), KIND(v));
    printf("%s %s %s %s\n", KIND("text"), KIND(s), KIND(&v), KIND(effect));
    printf("%s %s %s %s\n", KIND(1.0), KIND(1.0f), KIND(1.0L), KIND((char)1));
    printf("%s %s %s\n", KIND((void *)0), KIND(sizeof 1), KIND(h));
    printf("%d\n", _Generic(1u, int: effect(), default: 50));
    printf("%d\n", side);
    const int ci = 3;
    printf("%s\n", KIND(ci));

    typeof(i) copy = 5;
    __typeof__(&copy) pointer = &copy;
    typeof(v) other = {9};
    typeof(int *) both[2] = {&i, &copy};
    *pointer += *both[0];
    printf("%d %d %d\n", copy, other[0], other[3]);
    typeof(effect()) result = 7;
    typeof(s.a[0] + 1.5) real = 2.5;
    printf("%d %g %d\n", result, real, side);
    __auto_type deduced = h;
    printf("%d %d\n", deduced, (int)sizeof deduced);
    __extension__ long long extended = __extension__ 5LL;
    printf("%lld\n", extended);
    callback f = 0;
    printf("%d\n", f == 0);
    _Static_assert(_Generic(0, int: 1, default: 0), "zero is an int");
    printf("%d %d\n", __builtin_types_compatible_p(int, typeof(i)), __builtin_types_compatible_p(int, short));
    printf("%d\n", __builtin_choose_expr(sizeof(int) == 4, 11, "never"));
    printf("%d\n", (int)(__SIZE_TYPE__)-1 == -1);
    return 0;
}
