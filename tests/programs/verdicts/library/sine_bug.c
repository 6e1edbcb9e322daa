// expect: unsafe
// why: but all libraries give zero for zero

#include <math.h>

extern void reach_error(void);
int main(void) {
  if (sin(0.0) != 0.125) {
    reach_error();
  }
  return 0;
}
