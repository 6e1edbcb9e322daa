// expect: unsafe
// why: what the program does not use is not needed

#include <math.h>

extern void reach_error(void);
int main(void) {
  erf(3.0);
  if (sqrt(4.0) == 2) {
    reach_error();
  }
  return 0;
}
