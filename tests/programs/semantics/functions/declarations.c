// Scopes, shadowing, name spaces, typedef names, declarations in blocks, inline, noreturn.
#include <stdio.h>
#include <stdlib.h>

typedef int number;
typedef struct node node;
struct node {
    number value;
    node *next;
};
typedef int function_type(int);
typedef int array_type[3];

int shadow = 1;
static inline int square(int x) { return x * x; }
static __inline__ __attribute__((always_inline)) int cube(int x) { return square(x) * x; }
extern inline int external_inline(int x);
inline int external_inline(int x) { return x + 1; }
function_type declared_by_typedef;
static int unused_function(void) __attribute__((unused));
static int unused_function(void) { return 0; }
_Noreturn static void leave(int status) { exit(status); }
static void checked(int ok) __attribute__((noinline));
static void checked(int ok) {
    if (!ok) {
        leave(3);
    }
}

static int parameter_shadow(int shadow) {
    shadow++;
    {
        int shadow = 50;
        shadow++;
    }
    return shadow;
}

static int array_parameter(array_type a, int b[static 2], int c[const]) { return a[2] + b[1] + c[0]; }

// Tags, members, labels and ordinary names live apart.
struct same {
    int same;
};
static int same(struct same same) {
    goto same;
same:
    return same.same;
}

int declared_by_typedef(int x) { return x * 3; }

static int (*(*complicated)(int (*)(int), int[]))(int);
static int (*pick(int (*f)(int), int a[]))(int) { return a[0] ? f : square; }

int main(void) {
    printf("%d %d %d\n", square(5), cube(3), external_inline(9));
    printf("%d %d\n", declared_by_typedef(4), parameter_shadow(10));
    checked(1);
    array_type a = {1, 2, 3};
    printf("%d\n", array_parameter(a, a, a));
    printf("%d\n", same((struct same){8}));
    node second = {2, 0}, first = {1, &second};
    printf("%d\n", first.next->value);
    {
        typedef char number;
        number n = 300;
        printf("%d %d\n", n, (int)sizeof(number));
        {
            int number = 5;
            number++;
            printf("%d\n", number);
        }
    }
    number n = 300;
    printf("%d\n", n);
    printf("%d ", shadow);
    int shadow = 2;
    {
        extern int shadow;
        printf("%d ", shadow);
        shadow = 10;
    }
    printf("%d\n", shadow);
    for (int shadow = 3; shadow < 4; shadow++) {
        printf("%d\n", shadow);
    }
    struct node {
        char only;
    };
    printf("%d\n", (int)sizeof(struct node));
    int flags[] = {1};
    complicated = pick;
    printf("%d %d\n", complicated(declared_by_typedef, flags)(5), complicated(cube, (int[]){0})(5));
    int function_in_block(int);
    printf("%d\n", function_in_block(1));
    int x = 1, *p = &x, **pp = &p, array[2] = {x, **pp + 1}, (*parenthesised) = array;
    printf("%d %d\n", array[1], parenthesised[1]);
    unsigned long int long unsigned_reversed = -1;
    short signed int const static_later = -5;
    printf("%llu %d\n", unsigned_reversed, static_later);
    checked(0);
    printf("not reached\n");
    return 0;
}

int function_in_block(int x) { return x + 99; }
