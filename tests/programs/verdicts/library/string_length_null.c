// expect: safe
// check: null
// why: a text

extern int __VERIFIER_nondet_int(void);
extern unsigned long strlen(const char *);

char a[2] = "a";
int main(void) {
  const char *text = __VERIFIER_nondet_int() ? a : a + 1;
  return strlen(text) == 0;
}
