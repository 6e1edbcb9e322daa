// expect: unsafe
// check: bounds
// why: the member behind the array

extern int __VERIFIER_nondet_int(void);

struct packet { char data[4]; char sum; };
struct packet packet;
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i < 5) {
    return packet.data[i];
  }
  return 0;
}
