// expect: safe
// strategies: auto, bounded
// why: a copy has the characters of the text

extern char *strcpy(char *, const char *);
extern void reach_error(void);

char buffer[8];
char source[4] = "abc";
int main(void) {
  strcpy(buffer, source);
  if (buffer[1] != 'b' || buffer[3] != 0) {
    reach_error();
  }
  return 0;
}
