// expect: unsafe
// check: use-after-free
// why: the variable belongs to a call that has returned

static int *keep;
static void remember(void) {
  int own;
  own = 1;
  keep = &own;
}
int main(void) {
  remember();
  *keep = 2;
  return 0;
}
