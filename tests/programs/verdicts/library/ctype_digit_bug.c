// expect: unsafe
// why: the end is not a digit

extern int isdigit(int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int c = __VERIFIER_nondet_int();
  if (isdigit(c) && (c < '0' || c > '8')) {
    reach_error();
  }
  return 0;
}
