unsigned short ntohs(unsigned short value) {
  return __builtin_bswap16(value);
}
