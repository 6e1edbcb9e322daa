// expect: unsafe
// check: leak
// run: violation
// why: with it something is

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int x = 0;
  malloc(1);
  return x;
}
