// expect: safe
// why: what follows the call of an alias with parameters is reached

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int twice(int x) { return 2 * x; }
int alias(int x) __attribute__((alias("twice")));
int main(void) {
  int x = alias(4);
  CHECK(x == 8);
  return 0;
}
