int (*(*(*f)(int (*)(void), ...))[3])(struct { int x; } *, int (*[2])(void));
int (*const volatile *restrict g[2][3])(void);
int h(int (int), int [*], int [static 3], int [const *]);
typedef int T; int k(T, T T, T(T));
int (l)(m) int m; { return (T)m; }
struct s { struct s (*p)(struct s); int :3; int : 0; unsigned x : 1, : 2, y : 3; };
T (n), *(o), (*p), q[], (*r)[], (*t(void))[5];
unsigned int long long unsigned u;
int main(void) { T T = 1; { int (T) = sizeof(T); return T; } }
