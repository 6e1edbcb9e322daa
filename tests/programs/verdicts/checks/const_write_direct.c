// expect: safe
// check: const-write
// why: the address is taken in the expression itself
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  const int fixed = 1;
  int other = 1;
  *(int *)&other = 2;
  return other + fixed;
}
