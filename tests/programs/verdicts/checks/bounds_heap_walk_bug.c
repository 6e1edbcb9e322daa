// expect: unsafe
// check: bounds
// why: the pointer goes on to the end and writes there

extern void *malloc(unsigned long);

int main(void) {
  char *text = malloc(5);
  char *end = text + 4;
  for (char *at = text; at != end; at++) {
    *at = 'x';
  }
  end[1] = 0;
  return 0;
}
