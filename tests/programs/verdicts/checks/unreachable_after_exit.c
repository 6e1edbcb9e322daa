// expect: safe
// check: assertions,unreachable-code
// warns: no
// why: the program goes on

extern void assert(int);
extern void exit(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) {
    exit(1);
  }
  assert(n >= 0);
  return 0;
}
