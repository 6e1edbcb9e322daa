int *__errno_location(void);

static int digit_of(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'z') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
  if (base < 0 || base == 1 || base > 36) {
    __builtin_unreachable();
  }
  const char *s = text;
  while (*s == ' ' || (*s >= 9 && *s <= 13)) {
    s++;
  }
  int negative = *s == '-';
  if (*s == '-' || *s == '+') {
    s++;
  }
  if ((base == 0 || base == 16) && *s == '0' && (s[1] == 'x' || s[1] == 'X') && digit_of(s[2]) < 16) {
    s += 2;
    base = 16;
  } else if (base == 0) {
    base = *s == '0' ? 8 : 10;
  }
  // Negative numbers reach further.
  long long lowest = negative ? (-__LONG_LONG_MAX__ - 1) / base : -__LONG_LONG_MAX__ / base;
  int highest_digit = (int)(negative ? -((-__LONG_LONG_MAX__ - 1) % base) : __LONG_LONG_MAX__ % base);
  long long value = 0;
  int fits = 1;
  const char *digits = s;
  while (digit_of(*s) < base) {
    int digit = digit_of(*s);
    fits = fits && (value > lowest || (value == lowest && digit <= highest_digit));
    if (fits) {
      value = value * base - digit;
    }
    s++;
  }
  if (end) {
    *end = (char *)(s == digits ? text : s);
  }
  if (!fits) {
    *__errno_location() = 34;
    return negative ? -__LONG_LONG_MAX__ - 1 : __LONG_LONG_MAX__;
  }
  return negative ? value : -value;
}
