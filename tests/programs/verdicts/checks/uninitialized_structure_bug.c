// expect: unsafe
// check: uninitialized
// why: one member is not written

struct pair {
  int left;
  int right;
};
int main(void) {
  struct pair p;
  p.left = 1;
  return p.left + p.right == 3;
}
