unsigned long __builtin_addcl(unsigned long a, unsigned long b, unsigned long carry_in, unsigned long *carry_out) {
  unsigned long sum, total;
  int overflows = __builtin_add_overflow(a, b, &sum);
  overflows |= __builtin_add_overflow(sum, carry_in, &total);
  *carry_out = (unsigned long)overflows;
  return total;
}
