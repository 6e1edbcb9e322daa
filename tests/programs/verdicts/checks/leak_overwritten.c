// expect: safe
// check: leak
// why: the old memory is freed first

extern void *malloc(unsigned long);
extern void free(void *);

static char *current;
int main(void) {
  current = malloc(1);
  free(current);
  current = malloc(2);
  return 0;
}
