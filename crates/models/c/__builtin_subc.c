unsigned int __builtin_subc(unsigned int a, unsigned int b, unsigned int carry_in, unsigned int *carry_out) {
  unsigned int difference, total;
  int overflows = __builtin_sub_overflow(a, b, &difference);
  overflows |= __builtin_sub_overflow(difference, carry_in, &total);
  *carry_out = (unsigned int)overflows;
  return total;
}
