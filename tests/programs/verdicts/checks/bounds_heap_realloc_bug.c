// expect: unsafe
// check: bounds
// why: it is made larger too late

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);

int main(void) {
  long *numbers = malloc(2 * sizeof *numbers);
  numbers[1] = 1;
  numbers[3] = 3;
  numbers = realloc(numbers, 4 * sizeof *numbers);
  return 0;
}
