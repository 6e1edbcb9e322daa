// expect: safe
// check: leak
// why: both are freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *a = malloc(1);
  char *b = malloc(2);
  free(a);
  free(b);
  return b == 0;
}
