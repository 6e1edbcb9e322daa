// expect: unsafe
// check: use-after-free
// run: violation
// why: a variable of the loop body does not

int kept;
int main(void) {
  int *p = &kept;
  for (int i = 0; i < 2; i++) {
    int own = i;
    p = &own;
  }
  *p = 3;
  return 0;
}
