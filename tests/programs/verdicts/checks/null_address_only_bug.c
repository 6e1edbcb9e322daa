// expect: unsafe
// check: null,bounds
// why: reading it is

extern int __VERIFIER_nondet_int(void);

struct pair { int first, second; };
struct pair pair;
int main(void) {
  struct pair *p = __VERIFIER_nondet_int() ? &pair : 0;
  int *second = &p->second;
  return *second;
}
