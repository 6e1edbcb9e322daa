// expect: safe
// check: bounds
// why: the pointer stops at the end

extern void *malloc(unsigned long);

int main(void) {
  char *text = malloc(5);
  char *end = text + 4;
  for (char *at = text; at != end; at++) {
    *at = 'x';
  }
  *end = 0;
  return 0;
}
