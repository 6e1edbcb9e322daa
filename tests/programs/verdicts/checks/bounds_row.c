// expect: safe
// check: bounds
// why: both indices are in range

extern int __VERIFIER_nondet_int(void);

int table[3][4];
int main(void) {
  int i = __VERIFIER_nondet_int();
  int j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 3 || j < 0 || j >= 4) {
    return 0;
  }
  return table[i][j];
}
