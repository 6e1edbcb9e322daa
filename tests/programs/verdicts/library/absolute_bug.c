// expect: unsafe
// why: unless there is none

extern int abs(int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= -2147483647 - 1 && abs(n) < 0) {
    reach_error();
  }
  return 0;
}
