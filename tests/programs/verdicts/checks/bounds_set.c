// expect: safe
// check: bounds
// why: the rest of the memory is set

extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned long size = __VERIFIER_nondet_uchar() + 4ul;
  char *p = malloc(size);
  memset(p + 4, 0, size - 4);
  return 0;
}
