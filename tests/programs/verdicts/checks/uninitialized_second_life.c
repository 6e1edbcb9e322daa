// expect: safe
// check: uninitialized
// why: a block is entered with a fresh variable

int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 0 || i == 1) {
      x = 1;
    }
    sum += x;
  }
  return sum;
}
