// expect: safe
// check: bounds
// why: a character of a text

extern int __VERIFIER_nondet_int(void);

int main(void) {
  const char *text = "abc";
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i <= 3) {
    return text[i];
  }
  return 0;
}
