// expect: unsafe
// check: unreachable
// why: behind a loop that always, or sometimes, returns
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int i;
  for (i = 0; i < 10; i++)
    if (i == 10)
      return i;
  __builtin_unreachable();
}
