int isprint(int c) {
  return (c >= 32 && c <= 126) ? 16384 : 0;
}
