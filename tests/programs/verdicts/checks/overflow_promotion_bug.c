// expect: unsafe
// check: overflow
// why: they may leave the range of int all the same

int main(void) {
  signed char c = 100;
  int sum = c + c;
  sum = sum + c + 2147483400;
  return sum;
}
