// expect: safe
// check: bounds
// why: the memory is made larger first

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);

int main(void) {
  long *numbers = malloc(2 * sizeof *numbers);
  numbers[1] = 1;
  numbers = realloc(numbers, 4 * sizeof *numbers);
  numbers[3] = 3;
  return 0;
}
