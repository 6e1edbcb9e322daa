// expect: unknown
// why: assembly outside of functions defines a function

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int x = 1;
extern void change(void);
asm(".globl change\nchange: movl $2, x(%rip)\n ret");
int main(void) {
  change();
  CHECK(x == 1);
  return 0;
}
