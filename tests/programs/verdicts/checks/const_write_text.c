// expect: safe
// check: const-write
// why: a string literal
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char copy[] = "text";
  char *p = copy;
  p[0] = 'T';
  return copy[0];
}
