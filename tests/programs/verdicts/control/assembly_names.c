// expect: unknown
// why: inline assembly that names a variable changes it

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int counter;
int main(void) {
  asm volatile("incl counter(%%rip)" ::: "memory");
  CHECK(counter == 0);
  return 0;
}
