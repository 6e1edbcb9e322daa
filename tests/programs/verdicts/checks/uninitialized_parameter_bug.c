// expect: unsafe
// check: uninitialized
// why: a function that takes two arguments is given one

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
  return call(4);
}
