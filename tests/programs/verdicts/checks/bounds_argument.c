// expect: safe
// check: bounds
// why: the callee stays in the array

static int sum(int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += p[i];
  }
  return s;
}
int numbers[4];
int main(void) {
  return sum(numbers, 4);
}
