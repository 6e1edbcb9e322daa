// Variable-length arrays: sizes fixed at the declaration, two dimensions, parameters, loops.
#include <stdio.h>
#include <string.h>

static int evaluated;
static int size(int n) {
    evaluated++;
    return n;
}

static int sum(int n, int a[n]) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        total += a[i];
    }
    return total;
}

static int trace(int rows, int columns, int m[rows][columns]) {
    int total = 0;
    for (int i = 0; i < rows && i < columns; i++) {
        total += m[i][i];
    }
    return total + (int)sizeof(m[0]);
}

static int pointer_parameter(int n, int (*m)[n]) { return m[1][n - 1] + (int)sizeof *m; }

static int loop(void) {
    int total = 0;
    for (int i = 1; i < 6; i++) {
        int a[i];
        for (int j = 0; j < i; j++) {
            a[j] = i * j;
        }
        if (i == 3) {
            continue;
        }
        total += a[i - 1] + (int)sizeof a;
    }
    return total;
}

static int backwards(void) {
    int n = 1, total = 0;
again: {
    char buffer[n * 10];
    memset(buffer, n, sizeof buffer);
    total += buffer[n * 10 - 1] * (int)sizeof buffer;
    if (n++ < 4) {
        goto again;
    }
}
    return total;
}

static int recursive(int n) {
    int a[n + 1];
    a[n] = n;
    if (n > 0) {
        a[n] += recursive(n - 1);
    }
    return a[n];
}

int main(void) {
    int n = 5;
    int a[n];
    for (int i = 0; i < n; i++) {
        a[i] = i * i;
    }
    printf("%d %d\n", sum(n, a), (int)sizeof a);
    n = 100;
    printf("%d\n", (int)(sizeof a / sizeof *a));
    int rows = 3, columns = 4;
    int m[rows][columns];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            m[i][j] = i * 10 + j;
        }
    }
    printf("%d %d\n", trace(rows, columns, m), pointer_parameter(columns, m));
    printf("%d %d\n", (int)sizeof m, (int)sizeof m[1]);
    int *flat = &m[0][0];
    printf("%d %d\n", flat[columns * 2 + 1], (int)(&m[2] - &m[0]));
    int mixed[2][size(3)];
    mixed[1][2] = 7;
    printf("%d %d %d\n", mixed[1][2], (int)sizeof mixed, evaluated);
    typedef char line[size(6)];
    line first, second[2];
    strcpy(first, "hello");
    strcpy(second[1], first);
    printf("%s %d %d %d\n", second[1], (int)sizeof(line), (int)sizeof second, evaluated);
    printf("%d %d\n", (int)sizeof(int[size(2)]), evaluated);
    int(*p)[columns] = m;
    p++;
    printf("%d %d\n", (*p)[2], (int)sizeof *p);
    printf("%d %d %d\n", loop(), backwards(), recursive(6));
    struct point {
        int x, y;
    } points[rows];
    for (int i = 0; i < rows; i++) {
        points[i] = (struct point){i, -i};
    }
    printf("%d\n", points[rows - 1].y);
    int cube[rows][2][columns];
    cube[2][1][3] = 11;
    printf("%d %d\n", *(*(*(cube + 2) + 1) + 3), (int)sizeof cube);
    return 0;
}
