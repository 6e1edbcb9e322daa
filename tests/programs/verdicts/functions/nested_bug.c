// expect: unsafe
// why: nested functions with parameters that use no variable around them

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int main(void) {
  static int calls;
  int add(int a, int b) { calls++; return a + b; }
  int twice(int a) {
    int inner(int x) { return add(x, x); }
    return inner(a);
  }
  int (*pointer)(int) = twice;
  CHECK(add(2, 3) == 5);
  CHECK(pointer(4) == 8);
  CHECK(calls == 1);
  return 0;
}
