// Designators: order, nesting, ranges, overwriting, continuing after a designator.
#include <stdio.h>

struct point {
    int x, y, z;
};

struct shape {
    int kind;
    struct point corners[3];
    char name[6];
    struct {
        int a;
        int b[2];
    } extra;
};

static int sparse[10] = {[3] = 30, 40, [9] = 90, [1] = 10};
static int ranges[12] = {[0 ... 3] = 7, [2 ... 5] = 8, [11] = -1, [4] = 9};
static struct point reordered = {.z = 3, .x = 1};
static struct point continued = {.y = 5, 6};
static struct shape shapes[] = {
    [2] = {.kind = 2, .corners[1].y = 21, .corners[2] = {.z = 23}, .name = "two"},
    [0] = {0, {{1, 2, 3}, {4}}, "zero", {5, {6, 7}}},
    {.extra = {.b = {[1] = 11}}, .kind = 1},
};
static struct shape overwritten = {.corners = {{1, 1, 1}, {2, 2, 2}}, .corners[0].y = 9, .corners[1].z = 8};
static int size_by_designator[] = {[5] = 1, 2};
static int matrix[3][3] = {[1] = {[2] = 12}, [0][1] = 1, [2] = {20, 21}};
static char letters[26] = {['c' - 'a'] = 'C', ['z' - 'a'] = 'Z'};
static struct point old_style = {y : 4, x : 3};

static void show_points(const struct point *p, int n) {
    for (int i = 0; i < n; i++) {
        printf("(%d %d %d)", p[i].x, p[i].y, p[i].z);
    }
    printf("\n");
}

static void show_ints(const int *p, int n) {
    for (int i = 0; i < n; i++) {
        printf("%d ", p[i]);
    }
    printf("\n");
}

static void show_shape(const struct shape *s) {
    printf("%d [%s] %d %d %d ", s->kind, s->name, s->extra.a, s->extra.b[0], s->extra.b[1]);
    show_points(s->corners, 3);
}

int main(void) {
    show_ints(sparse, 10);
    show_ints(ranges, 12);
    show_points(&reordered, 1);
    show_points(&continued, 1);
    printf("%d\n", (int)(sizeof shapes / sizeof *shapes));
    for (int i = 0; i < 3; i++) {
        show_shape(&shapes[i]);
    }
    show_shape(&overwritten);
    show_ints(size_by_designator, sizeof size_by_designator / sizeof(int));
    show_ints(&matrix[0][0], 9);
    printf("%d %d %d\n", letters[0], letters[2], letters[25]);
    show_points(&old_style, 1);

    int n = 4;
    int local[6] = {[1] = n, [4] = n * 2, n * 3};
    show_ints(local, 6);
    struct shape automatic = {.corners[0 ... 1] = {n, n + 1}, .kind = n};
    show_shape(&automatic);
    struct point base = {1, 2, 3};
    struct shape from_struct = {.corners = {[1] = base}, .kind = base.z};
    show_shape(&from_struct);
    union {
        int i;
        struct point p;
        char c[4];
    } u = {.p = {.y = 6}}, v = {.c = "ab"};
    printf("%d %d %s\n", u.p.x, u.p.y, v.c);
    return 0;
}
