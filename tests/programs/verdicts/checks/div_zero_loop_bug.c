// expect: unsafe
// check: div-zero
// why: the divisor counts down to zero

int main(void) {
  int sum = 0;
  for (int i = 5; i >= 0; i--) {
    sum = sum + 60 / i;
  }
  return sum;
}
