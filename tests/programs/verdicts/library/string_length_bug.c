// expect: unsafe
// why: the length is not the size

extern unsigned long strlen(const char *);
extern void reach_error(void);

int main(void) {
  char text[8] = "whale";
  if (strlen(text) != 6) {
    reach_error();
  }
  return 0;
}
