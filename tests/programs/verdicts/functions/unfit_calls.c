// expect: safe
// strategies: auto, interpolation, bounded
// why: calls that do not fit go on as with gcc: more arguments, fewer, promoted ones, unused results

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int promoted(a, b) char a; short b; { return a + b; }
void nothing() {}
int no_result() {}
int none(void) { return 1; }
int one(int a) { return a; }
int two(int a, int b) { return a; }
int main(void) {
  int (*any)() = none;
  nothing(1, 2);
  no_result();
  CHECK(promoted(257, 2) == 3);
  CHECK(any(1, 2, 3) == 1);
  any = one;
  CHECK(any(4, 5) == 4);
  CHECK(((int (*)(int))two)(6) == 6);
  CHECK(1);
  return 0;
}
