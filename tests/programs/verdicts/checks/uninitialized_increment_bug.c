// expect: unsafe
// check: uninitialized
// why: a counter that starts anywhere

int main(void) {
  int count;
  count++;
  return count;
}
