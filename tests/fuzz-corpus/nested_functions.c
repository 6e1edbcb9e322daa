int main(void) { int x = 1; int inner(int y) { return x + y; } int (*p)(int) = inner; auto int later(void); int later(void) { return 2; } return inner(p(later())); }
