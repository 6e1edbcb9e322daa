f(a, b, c) char a; float b; { return a + b + c; }
g() { return f(1); }
h(x, x) int x, y; { }
int (*k())() { return h; }
main(argc, argv) char **argv; { static z; register r; auto s = f(1, 2.0, 3, 4); return h() + undeclared(argv) + *argv; }
int m(a) int a = 3; int b; { }
int n(int a) int a; { }
