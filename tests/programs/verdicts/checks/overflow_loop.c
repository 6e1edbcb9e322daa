// expect: safe
// check: overflow
// why: a sum that is bounded by the loop

int main(void) {
  int sum = 1;
  for (int i = 0; i < 40; i++) {
    sum = sum + 2;
  }
  return sum;
}
