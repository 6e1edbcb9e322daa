// expect: safe
// check: uninitialized
// why: both members are written

struct pair {
  int left;
  int right;
};
int main(void) {
  struct pair p;
  p.left = 1;
  p.right = 2;
  return p.left + p.right == 3;
}
