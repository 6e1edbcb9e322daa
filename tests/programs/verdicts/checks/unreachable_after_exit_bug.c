// expect: safe
// check: assertions,unreachable-code
// warns: yes
// why: the program has ended

extern void assert(int);
extern void exit(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n >= 0) {
    exit(1);
  }
  assert(n >= 0);
  return 0;
}
