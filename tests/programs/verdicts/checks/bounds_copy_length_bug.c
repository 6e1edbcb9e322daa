// expect: unsafe
// check: bounds
// why: the length may be larger than the buffer

extern void *memcpy(void *, const void *, unsigned long);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char from[16] = "0123456789";
  char to[8];
  unsigned length = __VERIFIER_nondet_uint();
  if (length <= sizeof from) {
    memcpy(to + 0, from, length);
  }
  return 0;
}
