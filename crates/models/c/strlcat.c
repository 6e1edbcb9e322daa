typedef __SIZE_TYPE__ size_t;

size_t strlcat(char *restrict target, const char *restrict source, size_t size) {
  size_t start = 0;
  while (start < size && target[start]) {
    start++;
  }
  size_t length = 0;
  while (start + length + 1 < size && source[length]) {
    target[start + length] = source[length];
    length++;
  }
  if (start < size) {
    target[start + length] = 0;
  }
  while (source[length]) {
    length++;
  }
  return start + length;
}
