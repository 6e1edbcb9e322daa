unsigned long long __builtin_addcll(unsigned long long a, unsigned long long b, unsigned long long carry_in, unsigned long long *carry_out) {
  unsigned long long sum, total;
  int overflows = __builtin_add_overflow(a, b, &sum);
  overflows |= __builtin_add_overflow(sum, carry_in, &total);
  *carry_out = (unsigned long long)overflows;
  return total;
}
