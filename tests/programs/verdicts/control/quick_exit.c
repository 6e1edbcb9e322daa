// expect: safe
// why: each way to end the program runs its own handlers

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

extern int __VERIFIER_nondet_int(void);
extern int atexit(void (*)(void)), at_quick_exit(void (*)(void));
extern void quick_exit(int), _exit(int), abort(void);
int quick;
void at_exit(void) { CHECK(!quick); }
void at_quick(void) { CHECK(quick == 1); }
__attribute__((destructor)) void destructor(void) { CHECK(!quick); }
int main(void) {
  atexit(at_exit);
  at_quick_exit(at_quick);
  switch (__VERIFIER_nondet_int()) {
  case 0: return 0;
  case 1: quick = 1; quick_exit(1);
  case 2: quick = 2; _exit(2);
  default: quick = 3; abort();
  }
}
