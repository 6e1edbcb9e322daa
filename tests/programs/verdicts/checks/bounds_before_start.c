// expect: safe
// check: bounds
// why: the second element has one before it

extern void *malloc(unsigned long);

static int before(int *p) {
  return p[-1];
}
int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = p[1] = 5;
  return before(p + 1) == 6;
}
