// expect: unsafe
// why: an index that may be inside of the array

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct device {
  int kind;
  int *state;
  int handlers[28];
};

int main(void) {
  int state = 0;
  struct device device = {1, &state, {0}};
  int i = __VERIFIER_nondet_int();
  device.handlers[i] = 5;
  *device.state = 4;
  if (i == 3 && state == 4) {
    reach_error();
  }
  return 0;
}
