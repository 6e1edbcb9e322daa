// expect: safe
// check: use-after-free
// run: fine
// why: the variable is static

static int *counter(void) {
  static int count = 0;
  return &count;
}
int main(void) {
  return *counter();
}
