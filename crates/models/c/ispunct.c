int ispunct(int c) {
  return (c >= 33 && c <= 126 && !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) ? 4 : 0;
}
