// expect: unsafe
// run: violation
// why: and not to nearest

#include <fenv.h>

extern void reach_error(void);
static double tenth = 0.1;

int main(void) {
  fesetround(FE_UPWARD);
  double up = tenth * tenth;
  fesetround(FE_DOWNWARD);
  double down = tenth * tenth;
  if (fegetround() != FE_DOWNWARD || up > down) {
    reach_error();
  }
  return 0;
}
