// expect: safe
// check: uninitialized
// why: every function that may be called is given as many arguments as it takes

extern int __VERIFIER_nondet_int(void);

static int one(int a) {
  return a;
}

static int two(int a, int b) {
  return a + b;
}

int main(void) {
  int choice = __VERIFIER_nondet_int();
  int (*call)() = choice ? one : two;
  return choice ? call(4) : call(4, 5);
}
