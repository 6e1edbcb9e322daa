// When the lengths of variable-length arrays are evaluated, and how often.
#include <stdio.h>
int calls;
int next(void) { return ++calls; }
int parameter(int n, int a[n++]) { return n + a[0]; }
int matrix(int n, int m, int a[n][m++]) { return m * 100 + (int)sizeof a[0] + a[1][2]; }
int effects(int n, int a[static (calls += 10, n)]) { return a[0]; }
int main(void) {
  int n = 3;
  int a[n];
  n = 7;
  printf("%zu %zu\n", sizeof a, sizeof a / sizeof a[0]);
  typedef int row[n];
  n = 2;
  row r;
  row *pr = &r;
  printf("%zu %zu %zu\n", sizeof(row), sizeof r, sizeof *pr);
  { size_t z = sizeof(int[n++]); printf("%zu %d\n", z, n); }
  { size_t z = sizeof(char[2][2 + n++]); printf("%zu %d\n", z, n); }
  int b[2] = {5, 6};
  printf("%d\n", parameter(4, b));
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  printf("%d\n", matrix(2, 3, m));
  { int z = effects(2, b); printf("%d %d\n", z, calls); }
  char c[next()][next()][2];
  printf("%zu %zu %zu %d\n", sizeof c, sizeof c[0], sizeof c[0][0], calls);
  int k = 4;
  int flat[24];
  for (int i = 0; i < 24; i++) flat[i] = i;
  int (*p)[k] = (int (*)[k])flat;
  k = 9;
  printf("%d %d %zu\n", p[2][1], *(p + 1)[1], sizeof *p);
  p++;
  printf("%d %td\n", (*p)[0], p - (int (*)[4])flat);
  int d = 3;
  int (*q)[2][d] = (int (*)[2][d])flat;
  d = 1;
  printf("%d %d\n", q[1][1][2], (int)(q + 1 - q));
  __typeof__(a) t;
  __typeof__(p) u = p;
  printf("%zu %d\n", sizeof t, u[1][1]);
  for (int i = 1; i < 4; i++) {
    char v[i];
    typedef char w[i * 2];
    i += 0;
    v[0] = i;
    printf("%zu %zu %d ", sizeof v, sizeof(w), v[0]);
  }
  printf("\n");
  int s = 5;
  struct { int x; } *ps[s];
  s = 1;
  printf("%zu\n", sizeof ps / sizeof ps[0]);
  int e = 2;
  { size_t z = sizeof(int (*)[e++]); printf("%d %d\n", (int)(z / sizeof(void *)), e); }
  return 0;
}
