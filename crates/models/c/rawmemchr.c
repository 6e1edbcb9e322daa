void *rawmemchr(const void *s, int c) {
  const unsigned char *at = s;
  unsigned char wanted = (unsigned char)(c & 255);
  while (*at != wanted) {
    at++;
  }
  return (void *)at;
}
