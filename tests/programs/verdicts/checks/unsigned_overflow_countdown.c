// expect: safe
// check: unsigned-overflow
// why: a loop that ends at zero

int main(void) {
  unsigned i = 3;
  while (i > 0) {
    i--;
  }
  return 0;
}
