// expect: safe
// check: leak
// why: two globals keep two objects

extern void *malloc(unsigned long);

static int *one;
static int *other;
int main(void) {
  one = malloc(sizeof *one);
  other = malloc(sizeof *other);
  return one == other;
}
