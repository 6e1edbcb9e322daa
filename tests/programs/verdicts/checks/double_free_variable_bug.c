// expect: unsafe
// check: double-free
// run: violation
// why: a variable is freed

extern void *malloc(unsigned long);
extern void free(void *);

int x;
int main(void) {
  int *p = &x;
  free(p);
  return 0;
}
