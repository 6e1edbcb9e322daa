typedef __INTMAX_TYPE__ intmax_t;

intmax_t imaxabs(intmax_t n) {
  return n < 0 ? -n : n;
}
