unsigned char __builtin_subcb(unsigned char a, unsigned char b, unsigned char carry_in, unsigned char *carry_out) {
  unsigned char difference, total;
  int overflows = __builtin_sub_overflow(a, b, &difference);
  overflows |= __builtin_sub_overflow(difference, carry_in, &total);
  *carry_out = (unsigned char)overflows;
  return total;
}
