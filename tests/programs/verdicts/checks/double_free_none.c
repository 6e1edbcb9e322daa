// expect: safe
// check: double-free
// run: fine
// why: nothing is freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int x = 1;
  return x;
}
