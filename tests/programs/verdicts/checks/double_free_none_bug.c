// expect: unsafe
// check: double-free
// run: violation
// why: heap memory that is not there is freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int x = 1;
  free((char *)&x + 1);
  return x;
}
