// expect: unknown
// why: what an indirect function is, is decided by its resolver

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

static int real(int x) { return x + 1; }
static void *resolve(void) { return real; }
int indirect(int x) __attribute__((ifunc("resolve")));
int main(void) {
  CHECK(indirect(1) == 3);
  return 0;
}
