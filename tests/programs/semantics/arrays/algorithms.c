// Classic algorithms on arrays: sorting, searching, matrices, dynamic programming.
#include <stdio.h>
#include <string.h>

static void bubble(int *a, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 1 < n - i; j++) {
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
        }
    }
}

static void quick(int *low, int *high) {
    if (high - low < 2) {
        return;
    }
    int pivot = *low, *left = low;
    for (int *p = low + 1; p < high; p++) {
        if (*p < pivot) {
            int t = *++left;
            *left = *p;
            *p = t;
        }
    }
    *low = *left;
    *left = pivot;
    quick(low, left);
    quick(left + 1, high);
}

static int search(const int *a, int n, int key) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && a[low] == key ? low : -1;
}

static void multiply(int n, double (*c)[3], double (*a)[3], double (*b)[3]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

static int distance(const char *a, const char *b) {
    static int table[20][20];
    int m = strlen(a), n = strlen(b);
    for (int i = 0; i <= m; i++) {
        for (int j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = table[i - 1][j] + 1 < best ? table[i - 1][j] + 1 : best;
            table[i][j] = table[i][j - 1] + 1 < best ? table[i][j - 1] + 1 : best;
        }
    }
    return table[m][n];
}

static unsigned random_state = 12345;
static int next_random(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 20;
}

int main(void) {
    int a[30], b[30];
    for (int i = 0; i < 30; i++) {
        a[i] = b[i] = next_random();
    }
    bubble(a, 30);
    quick(b, b + 30);
    printf("%d\n", memcmp(a, b, sizeof a));
    for (int i = 0; i < 30; i++) {
        printf("%d ", a[i]);
    }
    printf("\n%d %d %d\n", search(a, 30, a[17]), search(a, 30, a[0]), search(a, 30, 5000));
    double x[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, y[3][3] = {{0.5}, {0, 2}, {1, 0, -1}}, z[3][3];
    multiply(3, z, x, y);
    for (int i = 0; i < 3; i++) {
        printf("%g %g %g\n", z[i][0], z[i][1], z[i][2]);
    }
    printf("%d %d\n", distance("kitten", "sitting"), distance("", "abc"));
    return 0;
}
