// expect: unknown
// why: the number of a text; FIXME: safe, once the checker follows where texts are

extern int atoi(const char *);
extern void reach_error(void);

int main(void) {
  char text[4] = "-12";
  if (atoi(text) != -12) {
    reach_error();
  }
  return 0;
}
