// expect: safe
// check: uninitialized
// why: global variables start as zero

int total;
int main(void) {
  return total;
}
