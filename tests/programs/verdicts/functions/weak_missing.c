// expect: unknown
// why: the address of a weak function is null where nothing defines it

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

extern int optional(void) __attribute__((weak));
int main(void) {
  CHECK(optional != 0);
  return 0;
}
