typedef __SIZE_TYPE__ size_t;

size_t strlcpy(char *restrict target, const char *restrict source, size_t size) {
  size_t length = 0;
  while (length + 1 < size && source[length]) {
    target[length] = source[length];
    length++;
  }
  if (size) {
    target[length] = 0;
  }
  while (source[length]) {
    length++;
  }
  return length;
}
