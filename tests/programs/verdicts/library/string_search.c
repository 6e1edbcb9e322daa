// expect: safe
// why: a character that is found

extern char *strchr(const char *, int);
extern void reach_error(void);

int main(void) {
  char text[4] = "a=b";
  const char *found = strchr(text, '=');
  if (!found) {
    reach_error();
  }
  return 0;
}
