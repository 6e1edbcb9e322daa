// Multi-dimensional arrays, pointers to arrays, pointer arithmetic and differences.
#include <stddef.h>
#include <stdio.h>

static int matrix[3][4];
static int cube[2][3][4];

static int sum_rows(int (*rows)[4], int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++) {
            total += rows[i][j];
        }
    }
    return total;
}

static int sum_cube(int c[][3][4]) { return c[1][2][3] + *(*(*(c + 1) + 1) + 1); }
static int *row_of(int (*m)[4], int r) { return m[r]; }
static int (*pointer_to_rows(void))[4] { return matrix + 1; }

static char *reverse(char *s) {
    char *left = s, *right = s;
    while (*right) {
        right++;
    }
    while (left < --right) {
        char t = *left;
        *left++ = *right;
        *right = t;
    }
    return s;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            matrix[i][j] = i * 10 + j;
            for (int k = 0; k < 2; k++) {
                cube[k][i][j] = k * 100 + matrix[i][j];
            }
        }
    }
    printf("%d %d %d\n", sum_rows(matrix, 3), sum_rows(&matrix[1], 1), sum_cube(cube));
    printf("%d %d %d\n", *row_of(matrix, 2), row_of(matrix, 1)[3], (*pointer_to_rows())[2]);
    printf("%d %d %d\n", matrix[1][2], *(matrix[1] + 2), (*(matrix + 1))[2]);
    printf("%d %d\n", 2 [matrix[1]], 1 [matrix][2]);
    int *p = &matrix[0][0], *q = &matrix[0][3];
    printf("%d %d %d\n", (int)(q - p), (int)(p - q), p < q);
    int(*row)[4] = matrix;
    row += 2;
    printf("%d %d %d\n", (*row)[1], row[-1][2], (int)(row - matrix));
    printf("%d %d\n", (int)((char *)(row) - (char *)matrix), (int)sizeof *row);
    printf("%d %d %d\n", (int)sizeof cube, (int)sizeof cube[0], (int)sizeof cube[0][0]);
    int(*whole)[3][4] = &cube[1];
    printf("%d %d\n", (*whole)[2][1], whole[0][0][0]);
    int array[5] = {1, 2, 3, 4, 5};
    int *end = array + 5, total = 0;
    for (int *it = array; it != end; ++it) {
        total = total * 10 + *it;
    }
    printf("%d %d\n", total, end[-1]);
    p = end;
    while (p > array) {
        printf("%d ", *--p);
    }
    printf("\n");
    p = array + 3;
    printf("%d %d %d\n", p[-2], *(p - 3), (int)(&p[1] - &array[0]));
    char text[] = "pointers";
    printf("%s\n", reverse(text));
    char *words[] = {"zero", "one", "two"};
    char **w = words;
    printf("%s %c %c %c\n", *++w, **w, *(*w + 1), w[1][2]);
    char ***www = &w;
    printf("%s\n", *(*www + 1));
    long long wide[3] = {1, 2, 3};
    long long *lp = wide;
    lp = 1 + lp;
    printf("%lld %d\n", *lp, (int)((char *)lp - (char *)wide));
    void *v = array;
    v += 4;
    printf("%d\n", *(int *)v);
    ptrdiff_t d = &array[1] - &array[4];
    printf("%d %d\n", (int)d, (int)(sizeof d == sizeof(void *)));
    struct {
        int a[2][2];
    } s = {{{1, 2}, {3, 4}}}, t = s;
    t.a[1][0] += 10;
    printf("%d %d\n", s.a[1][0], t.a[1][0]);
    printf("%d\n", *&*&array[2]);
    int *nothing = 0;
    printf("%d %d\n", nothing == NULL, !nothing);
    return 0;
}
