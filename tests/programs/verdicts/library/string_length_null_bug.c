// expect: unsafe
// check: null
// why: no text

extern int __VERIFIER_nondet_int(void);
extern unsigned long strlen(const char *);

char a[2] = "a";
int main(void) {
  const char *text = __VERIFIER_nondet_int() ? a : 0;
  return strlen(text) == 0;
}
