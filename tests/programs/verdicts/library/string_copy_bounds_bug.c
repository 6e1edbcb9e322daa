// expect: unsafe
// check: bounds,null
// why: the end of the text does not fit

extern char *strcpy(char *, const char *);

char buffer[4];
char source[8] = "abcd";
int main(void) {
  strcpy(buffer, source);
  return 0;
}
