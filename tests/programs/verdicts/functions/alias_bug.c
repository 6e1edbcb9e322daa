// expect: unsafe
// why: an alias means its target: functions, variables of the same and another type, weakref, assembler names

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

static int add(int a, int b) { return a + b; }
int plus(int a, int b) __attribute__((alias("add")));
int plus_again(int a, int b) __attribute__((weak, alias("plus")));
static int weak_add(int a, int b) __attribute__((weakref("add")));
extern int renamed(int, int) __asm__("add");
int counter = 3;
extern int same_counter __attribute__((alias("counter")));
extern unsigned unsigned_counter __attribute__((alias("counter")));
extern int labelled __asm__("counter");
static int hidden = 7;
extern int seen __asm__("hidden");
int main(void) {
  int (*pointer)(int, int) = plus;
  CHECK(plus(2, 3) == 5 && plus_again(2, 3) == 5 && weak_add(2, 3) == 5);
  CHECK(renamed(2, 3) == 5 && pointer(2, 3) == 5);
  same_counter = 4;
  CHECK(counter == 4 && &same_counter == &counter);
  counter++;
  CHECK(same_counter == 5 && labelled == 5);
  unsigned_counter = -1;
  CHECK(counter == -1);
  seen++;
  CHECK(hidden == 7);
  return 0;
}
