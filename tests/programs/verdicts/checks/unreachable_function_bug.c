// expect: safe
// check: assertions,unreachable-code
// warns: yes
// why: the function is called nowhere

extern void assert(int);

static void use(int x) {
  assert(x > 0);
}
int main(void) {
  return 0;
}
