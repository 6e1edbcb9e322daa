// expect: safe
// check: const-write
// why: a block that is set
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#include <string.h>
static const char fixed[4] = "abc";
static char other[4];
int main(void) {
  memset((char *)other, 0, 4);
  return fixed[0];
}
