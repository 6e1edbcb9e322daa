// expect: safe
// check: null
// why: nothing is copied from nowhere

extern void *memcpy(void *, const void *, unsigned long);

int main(void) {
  char to[4] = "abc";
  char *from = 0;
  unsigned long length = 0;
  memcpy(to, from, length);
  return 0;
}
