// expect: safe
// check: use-after-free
// why: the callee only writes

extern void *malloc(unsigned long);
extern void free(void *);

static void consume(int *p) {
  *p = 0;
}
int main(void) {
  int *p = malloc(sizeof *p);
  consume(p);
  *p = 1;
  return 0;
}
