unsigned short __builtin_subcs(unsigned short a, unsigned short b, unsigned short carry_in, unsigned short *carry_out) {
  unsigned short difference, total;
  int overflows = __builtin_sub_overflow(a, b, &difference);
  overflows |= __builtin_sub_overflow(difference, carry_in, &total);
  *carry_out = (unsigned short)overflows;
  return total;
}
