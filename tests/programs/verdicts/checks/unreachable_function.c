// expect: safe
// check: assertions,unreachable-code
// warns: no
// why: the function is called

extern void assert(int);

static void use(int x) {
  assert(x > 0);
}
int main(void) {
  use(1);
  return 0;
}
