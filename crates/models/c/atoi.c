int atoi(const char *s) {
  while (*s == ' ' || (*s >= 9 && *s <= 13)) {
    s++;
  }
  int negative = *s == '-';
  if (*s == '-' || *s == '+') {
    s++;
  }
  int value = 0;
  while (*s >= '0' && *s <= '9') {
    value = 10 * value - (*s - '0');
    s++;
  }
  return negative ? value : -value;
}
