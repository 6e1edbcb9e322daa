// expect: unsafe
// why: `close` may return -1

extern int close(int);
extern void reach_error(void);

int main(void) {
  int results[2] = {0, 0};
  results[1] = close(3);
  if (results[1] <= -1 || results[1] > 0) {
    reach_error();
  }
  return 0;
}
