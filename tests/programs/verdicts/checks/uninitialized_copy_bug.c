// expect: unsafe
// check: uninitialized
// why: the copied member was not

struct point {
  int x;
  int y;
};
int main(void) {
  struct point a;
  a.x = 1;
  struct point b = a;
  return b.y;
}
