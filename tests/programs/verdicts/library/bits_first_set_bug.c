// expect: unsafe
// why: but one behind it may be

extern void reach_error(void);
extern int ffs(int);
extern int ffsll(long long);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int position = ffs(x);
  if (x == 0 ? position != 0 : (x & ((1u << (position - 1) << 2) - 1)) != 1u << (position - 1)) {
    reach_error();
  }
  if (ffsll(1ll << 40) != 41) {
    reach_error();
  }
  return 0;
}
