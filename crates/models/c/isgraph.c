int isgraph(int c) {
  return (c >= 33 && c <= 126) ? 32768 : 0;
}
