// expect: unsafe
// check: leak
// run: violation
// why: the memory is kept by nobody

extern void *malloc(unsigned long);
extern void free(void *);
extern void exit(int);
int main(void) {
  char *p = malloc(4);
  p = 0;
  exit(p == 0);
}
