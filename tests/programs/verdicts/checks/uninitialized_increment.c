// expect: safe
// check: uninitialized
// why: a counter that starts at zero

int main(void) {
  int count = 0;
  count++;
  return count;
}
