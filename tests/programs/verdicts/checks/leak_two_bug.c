// expect: unsafe
// check: leak
// why: one is forgotten

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *a = malloc(1);
  char *b = malloc(2);
  free(a);
  b = a;
  return b == 0;
}
