// expect: safe
// check: overflow
// why: characters are added as int

int main(void) {
  signed char c = 100;
  int sum = c + c;
  sum = sum + c + 2147483300;
  return sum;
}
