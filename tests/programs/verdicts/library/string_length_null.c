// expect: unknown
// check: null
// why: a text; FIXME: safe, once the checker follows pointers into arrays through loops

extern int __VERIFIER_nondet_int(void);
extern unsigned long strlen(const char *);

char a[2] = "a";
int main(void) {
  const char *text = __VERIFIER_nondet_int() ? a : a + 1;
  return strlen(text) == 0;
}
