// expect: unknown
// why: the length of a text; FIXME: safe, once the checker follows pointers into arrays through loops

extern unsigned long strlen(const char *);
extern void reach_error(void);

int main(void) {
  char text[8] = "whale";
  if (strlen(text) != 5) {
    reach_error();
  }
  return 0;
}
