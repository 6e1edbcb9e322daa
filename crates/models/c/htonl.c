unsigned int htonl(unsigned int value) {
  return __builtin_bswap32(value);
}
