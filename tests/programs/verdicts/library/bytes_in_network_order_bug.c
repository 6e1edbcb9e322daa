// expect: unsafe
// why: once is not twice

#include <arpa/inet.h>
#include <stdint.h>

extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  uint32_t wide = __VERIFIER_nondet_uint();
  uint16_t narrow = __VERIFIER_nondet_ushort();
  if (ntohl(htonl(wide)) != wide || (htonl(wide) & 255) != wide >> 24 || htons(narrow) != narrow) {
    reach_error();
  }
  return 0;
}
