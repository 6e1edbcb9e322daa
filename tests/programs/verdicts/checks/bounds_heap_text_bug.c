// expect: unsafe
// check: bounds
// why: the end of the text has no room

extern void *malloc(unsigned long);
extern char *strcpy(char *, const char *);

int main(void) {
  char *copy = malloc(3);
  strcpy(copy, "abc");
  return copy[0] == 'b';
}
