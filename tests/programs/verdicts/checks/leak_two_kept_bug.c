// expect: unsafe
// check: leak
// why: two globals keep the same object

extern void *malloc(unsigned long);

static int *one;
static int *other;
int main(void) {
  one = malloc(sizeof *one);
  other = malloc(sizeof *other);
  other = one;
  return one == other;
}
