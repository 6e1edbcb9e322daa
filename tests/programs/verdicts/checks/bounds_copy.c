// expect: safe
// check: bounds
// why: as much is copied as there is room for

extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);

int source[4] = {1, 2, 3, 4};
int main(void) {
  int *copy = malloc(sizeof source);
  memcpy(copy, source, sizeof source);
  return 0;
}
