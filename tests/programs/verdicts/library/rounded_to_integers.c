// expect: unknown
// run: fine
// why: functions of math.h that are defined exactly are computed exactly

#include <math.h>

extern void reach_error(void);
int main(void) {
  if (lround(2.5) != 3 || lrint(2.5) != 2 || remainder(5.0, 3.0) != -1.0 || nextafter(1.0, 2.0) <= 1.0) {
    reach_error();
  }
  if (llroundf(-0.5f) != -1 || fma(0.5, 2.0, 1.0) != 2.0 || sqrt(16.0) != 4.0 || fmodl(7.5L, 2.0L) != 1.5L) {
    reach_error();
  }
  return 0;
}
