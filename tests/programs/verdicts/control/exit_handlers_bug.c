// expect: unsafe
// why: handlers run in the reverse order of their registration, before destructors, those from destructors last

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

extern int atexit(void (*)(void));
extern void exit(int);
int step;
void last(void) { CHECK(step == 7); }
void third(void) { CHECK(step == 2); step = 3; }
void second(void) { CHECK(step == 1); step = 2; atexit(third); }
__attribute__((destructor)) void fourth(void) { CHECK(step == 3); step = 4; atexit(last); }
__attribute__((destructor(200))) void fifth(void) { CHECK(step == 4); step = 5; }
__attribute__((destructor(101))) void sixth(void) { CHECK(step == 5); step = 6; }
static void end(int status) { step = 1; exit(status); }
int main(void) {
  void (*pointer)(void) = second;
  if (atexit(pointer))
    return 1;
  end(0);
  return 0;
}
