// expect: unknown
// why: nothing says what the last bits of a sine are, so no violation rests on them

#include <math.h>

extern void reach_error(void);
int main(void) {
  if (sin(1.0) != 0.125) {
    reach_error();
  }
  return 0;
}
