// expect: safe
// why: the length of a text

extern unsigned long strlen(const char *);
extern void reach_error(void);

int main(void) {
  char text[8] = "whale";
  if (strlen(text) != 5) {
    reach_error();
  }
  return 0;
}
