// expect: unsafe
// check: shift
// why: a loop one bit too far

int main(void) {
  unsigned mask = 0;
  for (int i = 0; i <= 32; i++) {
    mask |= 1u << i;
  }
  return mask == 0;
}
