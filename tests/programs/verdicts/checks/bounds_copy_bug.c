// expect: unsafe
// check: bounds
// why: more is copied than there is room for

extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);

int source[4] = {1, 2, 3, 4};
int main(void) {
  int *copy = malloc(sizeof source - 1);
  memcpy(copy, source, sizeof source);
  return 0;
}
