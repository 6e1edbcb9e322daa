// expect: safe
// check: null
// why: the caller passes an address

static void set(int *p, int value) {
  *p = value;
}
int main(void) {
  int x = 0;
  set(&x, 3);
  return x;
}
