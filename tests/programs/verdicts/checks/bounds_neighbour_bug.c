// expect: unsafe
// check: bounds
// why: the way to another object leads out of the first

extern void *malloc(unsigned long);

int main(void) {
  char *a = malloc(8);
  char *b = malloc(8);
  long way = (long)b - (long)a;
  a[way] = 1;
  return 0;
}
