int ffsl(long value) {
  return __builtin_ffsl(value);
}
