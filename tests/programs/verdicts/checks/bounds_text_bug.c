// expect: unsafe
// check: bounds
// why: a character behind its end

extern int __VERIFIER_nondet_int(void);

int main(void) {
  const char *text = "abc";
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i <= 4) {
    return text[i];
  }
  return 0;
}
