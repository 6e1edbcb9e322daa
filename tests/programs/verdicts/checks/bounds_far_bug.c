// expect: unsafe
// check: bounds
// why: the index times the size of an element wraps around

extern long __VERIFIER_nondet_long(void);

int numbers[4];
int main(void) {
  int *p = numbers;
  long i = __VERIFIER_nondet_long();
  if (i == 0x4000000000000000) {
    p = p + i;
    *p = 1;
  }
  return 0;
}
