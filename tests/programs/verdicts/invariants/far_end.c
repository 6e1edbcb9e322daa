// expect: safe
// strategies: auto, interpolation
// why: the end of the loop is far away, and what it leaves follows from an equation

extern void reach_error(void);

int main(void) {
  int n = 0;
  for (int i = 0; i < 5000; i++) {
    n += 2;
  }
  if (n != 10000) {
    reach_error();
  }
  return 0;
}
