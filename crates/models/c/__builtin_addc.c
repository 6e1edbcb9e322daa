unsigned int __builtin_addc(unsigned int a, unsigned int b, unsigned int carry_in, unsigned int *carry_out) {
  unsigned int sum, total;
  int overflows = __builtin_add_overflow(a, b, &sum);
  overflows |= __builtin_add_overflow(sum, carry_in, &total);
  *carry_out = (unsigned int)overflows;
  return total;
}
