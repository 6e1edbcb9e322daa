// expect: unsafe
// why: a return from main runs handlers, in a loop that registers one several times

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

extern int atexit(void (*)(void));
int runs;
void handler(void) { runs++; CHECK(runs <= 2); }
int main(void) {
  for (int i = 0; i < 3; i++)
    atexit(handler);
  return 0;
}
