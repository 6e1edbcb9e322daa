// Brace elision, partial initialisation, empty braces, scalars in braces, trailing commas.
#include <stdio.h>

struct pair {
    int a, b;
};

struct deep {
    struct pair p[2];
    int tail;
    union {
        int i;
        char c;
    } u;
    int end;
};

static int elided[2][3] = {1, 2, 3, 4, 5};
static int mixed[2][3] = {{1}, 4, 5};
static int cube[2][2][2] = {{{1}, {2}}, {3, 4, 5}};
static struct deep flat = {1, 2, 3, 4, 5, 6, 7};
static struct deep half = {{{1}, 2}, 3, 4, 5};
static struct pair pairs[] = {1, 2, 3, 4, 5};
static int scalar = {42};
static const char *const names[] = {"a", "bc", "def",};
static struct pair empty_braces = {};
static int unsized[][2] = {{1}, {2, 3}, {4}};
static struct pair *pointer = &pairs[1];
static int *inside = &cube[1][0][1];
static int (*row)[3] = &elided[1];
static char *element = (char *)&pairs[2] + sizeof(int);
static long difference = (long)&((struct deep *)0)->tail;
static int from_sizeof = sizeof(struct deep) / sizeof(int);
static int constant_expression = (3 + 4) * 2 - (1 ? 5 : 6) + !0 + ~0;
static double from_int = 7 / 2 + 7 / 2.0;
static unsigned char truncated = 0x1ff;
static _Bool truth = 12;
static int (*function)(const char *, ...) = printf;

static void show(const int *p, int n) {
    for (int i = 0; i < n; i++) {
        printf("%d ", p[i]);
    }
    printf("\n");
}

static void show_deep(const struct deep *d) {
    printf("%d %d %d %d %d %d %d\n", d->p[0].a, d->p[0].b, d->p[1].a, d->p[1].b, d->tail, d->u.i, d->end);
}

int main(void) {
    show(&elided[0][0], 6);
    show(&mixed[0][0], 6);
    show(&cube[0][0][0], 8);
    show_deep(&flat);
    show_deep(&half);
    printf("%d %d\n", (int)(sizeof pairs / sizeof *pairs), pairs[2].b);
    printf("%d %s %d %d\n", scalar, names[2], (int)(sizeof names / sizeof *names), empty_braces.a);
    show(&unsized[0][0], 6);
    printf("%d %d %d %d\n", pointer->b, *inside, (*row)[1], *(int *)element);
    printf("%ld %d %d %g %d %d\n", difference, from_sizeof, constant_expression, from_int, truncated, truth);
    function("%s\n", "through a pointer");

    int x = 3;
    int automatic[2][3] = {x, x + 1, x + 2, x + 3};
    show(&automatic[0][0], 6);
    struct deep local = {{x, {x * 2}}, .end = x * 3};
    show_deep(&local);
    struct pair source = {8, 9};
    struct deep copied = {source, source, 1, {2}, 3};
    show_deep(&copied);
    struct deep zero = {0}, empty = {};
    show_deep(&zero);
    show_deep(&empty);
    int self = sizeof self;
    printf("%d\n", self);
    return 0;
}
