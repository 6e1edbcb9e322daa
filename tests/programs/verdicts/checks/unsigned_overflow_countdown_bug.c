// expect: unsafe
// check: unsigned-overflow
// why: a loop that goes on below zero

int main(void) {
  unsigned i = 3;
  while (i + 1 > 0) {
    i--;
  }
  return 0;
}
