// expect: unsafe
// strategies: auto
// why: the end of the loop is far away, and it leaves another number

extern void reach_error(void);

int main(void) {
  int n = 0;
  for (int i = 0; i < 5000; i++) {
    n += 2;
  }
  if (n == 10000) {
    reach_error();
  }
  return 0;
}
