// expect: unsafe
// check: uninitialized
// why: local ones do not

int main(void) {
  int total;
  return total;
}
