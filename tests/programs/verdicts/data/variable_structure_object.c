// expect: unknown
// why: an object with a variable-length member

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int main(void) {
  int n = 3;
  struct { int a[n++]; char c; } s;
  CHECK(n == 3);
  return 0;
}
