// expect: safe
// strategies: auto
// check: bounds,null
// why: the text fits

extern char *strcpy(char *, const char *);

char buffer[4];
char source[8] = "abc";
int main(void) {
  strcpy(buffer, source);
  return 0;
}
