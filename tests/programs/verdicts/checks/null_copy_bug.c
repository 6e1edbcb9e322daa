// expect: unsafe
// check: null
// why: something is copied from nowhere

extern void *memcpy(void *, const void *, unsigned long);

int main(void) {
  char to[4] = "abc";
  char *from = 0;
  unsigned long length = 2;
  memcpy(to, from, length);
  return 0;
}
