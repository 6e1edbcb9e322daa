// expect: safe
// check: const-write
// why: an element of a constant array
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static const int table[3] = {1, 2, 3};
static int changeable[3];
static void set(const int *a, unsigned i) { ((int *)a)[i] = 7; }
int main(void) {
  set(changeable, __VERIFIER_nondet_uint() % 3);
  return table[0];
}
