// expect: safe
// check: double-free
// run: fine
// why: heap memory is freed

extern void *malloc(unsigned long);
extern void free(void *);

int x;
int main(void) {
  int *p = malloc(4);
  free(p);
  return 0;
}
