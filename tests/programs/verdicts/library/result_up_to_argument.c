// expect: safe
// why: `write` returns no more than it was asked to write, even if its result replaces the number

extern long write(int, const void *, unsigned long);
extern void reach_error(void);

int main(void) {
  unsigned long left = 5;
  left = write(1, "hello", left);
  if (left != -1UL && left > 5) {
    reach_error();
  }
  return 0;
}
