// expect: safe
// check: assertions,unreachable-code
// warns: no
// why: the loop ends

extern void assert(int);

int main(void) {
  int i = 0;
  while (i < 10) {
    i = i + 1;
  }
  assert(i >= 10);
  return 0;
}
