// expect: safe
// strategies: auto, interpolation, bounded
// check: assertions,unreachable-code
// warns: yes
// why: the loop does not end

extern void assert(int);

int main(void) {
  int i = 0;
  while (i < 10) {
    i = i + 0;
  }
  assert(i >= 10);
  return 0;
}
