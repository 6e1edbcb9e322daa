// expect: safe
// check: bounds
// why: the index is in the array

extern long __VERIFIER_nondet_long(void);

int numbers[4];
int main(void) {
  int *p = numbers;
  long i = __VERIFIER_nondet_long();
  if (i == 3) {
    p = p + i;
    *p = 1;
  }
  return 0;
}
