// expect: safe
// check: uninitialized
// why: the copied member was written

struct point {
  int x;
  int y;
};
int main(void) {
  struct point a;
  a.x = 1;
  struct point b = a;
  return b.x;
}
