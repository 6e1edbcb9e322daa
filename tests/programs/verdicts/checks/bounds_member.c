// expect: safe
// check: bounds
// why: an array in a structure

extern int __VERIFIER_nondet_int(void);

struct packet { char data[4]; char sum; };
struct packet packet;
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i < 4) {
    return packet.data[i];
  }
  return 0;
}
