// expect: unsafe
// check: use-after-free
// run: violation
// why: the function has returned

static int *counter(void) {
  int count = 0;
  return &count;
}
int main(void) {
  return *counter();
}
