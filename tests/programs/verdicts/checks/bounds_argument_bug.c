// expect: unsafe
// check: bounds
// why: the callee is told a wrong length

static int sum(int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += p[i];
  }
  return s;
}
int numbers[4];
int main(void) {
  return sum(numbers, 5);
}
