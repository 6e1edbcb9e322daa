// expect: unsafe
// check: bounds
// why: the column leaves its row

extern int __VERIFIER_nondet_int(void);

int table[3][4];
int main(void) {
  int i = __VERIFIER_nondet_int();
  int j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 3 || j < 0 || j >= 5) {
    return 0;
  }
  return table[i][j];
}
