// expect: safe
// check: null
// why: a pointer to a structure

extern int __VERIFIER_nondet_int(void);

struct point { int x, y; };
struct point origin;
static struct point *find(int n) {
  return n > 0 ? &origin : 0;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 1) {
    return find(n)->y;
  }
  return 0;
}
