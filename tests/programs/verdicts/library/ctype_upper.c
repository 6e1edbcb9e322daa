// expect: safe
// why: letters become capital

extern int toupper(int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int c = __VERIFIER_nondet_int();
  int u = toupper(c);
  if (u >= 'a' && u <= 'z') {
    reach_error();
  }
  return 0;
}
