// expect: unsafe
// check: const-write
// why: a constant and a variable behind one type of pointer
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  const int fixed = 1;
  int free_one = 2;
  const int *p = __VERIFIER_nondet_int() ? &free_one : &fixed;
  *(int *)p = 3;
  return fixed;
}
