// expect: unsafe
// check: overflow
// why: a product that grows with the loop

int main(void) {
  int sum = 1;
  for (int i = 0; i < 40; i++) {
    sum = sum * 8;
  }
  return sum;
}
