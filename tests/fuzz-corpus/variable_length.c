int f(int n, int a[n][n], int (*b)[n], int c[sizeof(int[n])]) { int d[n][n + 1], (*e)[n] = d, g[f(n, d, e, c)]; typedef int V[n++]; V v; goto in; { int h[n]; in: h[0] = 1; } switch (n) { int i[n]; case 1: i[0] = 2; } return sizeof(V) + sizeof d + sizeof(int[n][n++]) + _Alignof(V) + v[0]; }
int k = sizeof(int[k]);
int l[k];
static int m[f];
struct { int n[k]; } o;
int main(void) { int p[-1], q[0], r[1 / 0]; static int s[main()]; return sizeof(p) + ({ int t[q[0]]; sizeof t; }); }
