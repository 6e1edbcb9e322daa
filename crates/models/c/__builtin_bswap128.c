unsigned __int128 __builtin_bswap128(unsigned __int128 value) {
  unsigned __int128 low = __builtin_bswap64((unsigned long)(value >> 64));
  unsigned __int128 high = __builtin_bswap64((unsigned long)(value & 0xffffffffffffffffull));
  return high << 64 | low;
}
