// expect: safe
// check: leak
// run: fine
// why: without heap memory nothing is lost

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int x = 0;
  return x;
}
