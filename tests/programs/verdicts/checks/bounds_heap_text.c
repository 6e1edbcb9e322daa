// expect: safe
// check: bounds
// why: there is room for the end of the text

extern void *malloc(unsigned long);
extern char *strcpy(char *, const char *);

int main(void) {
  char *copy = malloc(4);
  strcpy(copy, "abc");
  return copy[0] == 'b';
}
