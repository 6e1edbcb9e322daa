// expect: safe
// check: vla-size
// why: a length that goes down to zero, or not
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int sum = 0;
  for (int i = 3; i > 0; i--) {
    char a[i];
    sum += sizeof a;
  }
  return sum;
}
