unsigned long __builtin_subcl(unsigned long a, unsigned long b, unsigned long carry_in, unsigned long *carry_out) {
  unsigned long difference, total;
  int overflows = __builtin_sub_overflow(a, b, &difference);
  overflows |= __builtin_sub_overflow(difference, carry_in, &total);
  *carry_out = (unsigned long)overflows;
  return total;
}
