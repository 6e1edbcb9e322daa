// expect: safe
// check: use-after-free
// why: the variable belongs to the caller

static int *keep;
static void remember(void) {
  static int own;
  own = 1;
  keep = &own;
}
int main(void) {
  remember();
  *keep = 2;
  return 0;
}
