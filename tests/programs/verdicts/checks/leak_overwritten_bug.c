// expect: unsafe
// check: leak
// why: the old memory is forgotten

extern void *malloc(unsigned long);
extern void free(void *);

static char *current;
int main(void) {
  current = malloc(1);
  current = malloc(2);
  return 0;
}
