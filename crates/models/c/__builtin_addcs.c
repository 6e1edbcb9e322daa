unsigned short __builtin_addcs(unsigned short a, unsigned short b, unsigned short carry_in, unsigned short *carry_out) {
  unsigned short sum, total;
  int overflows = __builtin_add_overflow(a, b, &sum);
  overflows |= __builtin_add_overflow(sum, carry_in, &total);
  *carry_out = (unsigned short)overflows;
  return total;
}
