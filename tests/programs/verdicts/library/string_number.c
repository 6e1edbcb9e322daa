// expect: safe
// why: the number of a text

extern int atoi(const char *);
extern void reach_error(void);

int main(void) {
  char text[4] = "-12";
  if (atoi(text) != -12) {
    reach_error();
  }
  return 0;
}
