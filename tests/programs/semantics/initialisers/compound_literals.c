// Compound literals of file scope, block scope, in loops, modified, and as lvalues.
#include <stdio.h>

struct point {
    int x, y;
};

static int *global_array = (int[]){1, 2, 3};
static struct point *global_point = &(struct point){4, 5};
static const char **names = (const char *[]){"n0", "n1", 0};

static int sum(const int *p, int n) {
    int total = 0;
    while (n--) {
        total += *p++;
    }
    return total;
}

static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static void shift(struct point *p) { p->x += 100; }
static struct point *remember(struct point *p) { return p; }

int main(void) {
    printf("%d %d %s\n", sum(global_array, 3), global_point->y, names[1]);
    global_array[1] = 50;
    printf("%d\n", sum(global_array, 3));
    printf("%d\n", sum((int[]){10, 20, [4] = 30}, 5));
    printf("%d\n", norm((struct point){3, 4}));
    printf("%d %d\n", (int){7}, ((struct point){.y = 8}).y);
    struct point *p = &(struct point){1, 2};
    shift(p);
    printf("%d %d\n", p->x, p->y);
    (struct point){0, 0}.x;
    int *q = (int[3]){[1] = 5};
    q[0]++;
    printf("%d %d %d\n", q[0], q[1], q[2]);
    // Each time round, the literal is initialised again.
    int total = 0;
    for (int i = 0; i < 4; i++) {
        int *counter = &(int){i};
        *counter += 10;
        total += *counter;
    }
    printf("%d\n", total);
    int n = 0;
again:;
    struct point *r = &(struct point){n, n * 2};
    r->x += 1;
    printf("%d %d\n", r->x, r->y);
    if (++n < 3) {
        goto again;
    }
    (int){3} = 4;
    printf("%d\n", (int){41} + 1);
    printf("%d\n", (int)sizeof((char[]){"sized"}));
    struct point copy = *remember(&(struct point){n, n});
    printf("%d\n", copy.y);
    char *text = (char[]){"modifiable"};
    text[0] = 'M';
    printf("%s\n", text);
    printf("%d\n", (struct point[]){{1, 2}, {3, 4}}[1].x);
    copy = (struct point){copy.y, copy.x + 1};
    printf("%d %d\n", copy.x, copy.y);
    return 0;
}
