// expect: unsafe
// why: other characters stay

extern int toupper(int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int c = __VERIFIER_nondet_int();
  int u = toupper(c);
  if (u >= 'a' && u <= 'z' + 1) {
    reach_error();
  }
  return 0;
}
