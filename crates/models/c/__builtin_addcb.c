unsigned char __builtin_addcb(unsigned char a, unsigned char b, unsigned char carry_in, unsigned char *carry_out) {
  unsigned char sum, total;
  int overflows = __builtin_add_overflow(a, b, &sum);
  overflows |= __builtin_add_overflow(sum, carry_in, &total);
  *carry_out = (unsigned char)overflows;
  return total;
}
