unsigned long long __builtin_subcll(unsigned long long a, unsigned long long b, unsigned long long carry_in, unsigned long long *carry_out) {
  unsigned long long difference, total;
  int overflows = __builtin_sub_overflow(a, b, &difference);
  overflows |= __builtin_sub_overflow(difference, carry_in, &total);
  *carry_out = (unsigned long long)overflows;
  return total;
}
