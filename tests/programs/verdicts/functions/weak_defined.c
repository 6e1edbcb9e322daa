// expect: safe
// why: a weak function that is defined, and one that is only called if it is there

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

__attribute__((weak)) int defined(void) { return 1; }
int main(void) {
  int (*p)(void) = defined;
  CHECK(p && p() == 1);
  return 0;
}
