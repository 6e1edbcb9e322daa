// expect: safe
// check: div-zero
// why: the divisor counts down to one

int main(void) {
  int sum = 0;
  for (int i = 5; i >= 1; i--) {
    sum = sum + 60 / i;
  }
  return sum;
}
