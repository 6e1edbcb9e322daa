// expect: unknown
// why: assembly outside of functions defines a variable

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int x = 1;
extern int y;
asm(".globl y\n .set y, x");
int main(void) {
  y = 2;
  CHECK(x == 1);
  return 0;
}
