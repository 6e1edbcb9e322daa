// expect: unsafe
// why: a carry can be one

extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), carry = __VERIFIER_nondet_uint() & 1;
  unsigned int out, borrow;
  unsigned int sum = __builtin_addc(a, b, carry, &out);
  unsigned long long exact = (unsigned long long)a + b + carry;
  if (sum != (unsigned int)exact || out) {
    reach_error();
  }
  unsigned int difference = __builtin_subc(a, b, carry, &borrow);
  if (difference != a - b - carry || borrow != ((unsigned long long)b + carry > a)) {
    reach_error();
  }
  return 0;
}
