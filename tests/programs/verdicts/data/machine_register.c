// expect: unknown
// why: the value of a machine register

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int main(void) {
  register unsigned long stack asm("rsp");
  CHECK(stack == 0);
  return 0;
}
