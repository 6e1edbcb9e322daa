// expect: safe
// check: const-write
// why: a member of a constant structure
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct pair { int a, b; };
static const struct pair fixed = {1, 2};
static struct pair other;
int main(void) {
  struct pair *p = __VERIFIER_nondet_int() ? &other : (struct pair *)&other;
  p->b = 3;
  return fixed.b;
}
