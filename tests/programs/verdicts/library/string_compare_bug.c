// expect: unsafe
// why: another text

extern int strcmp(const char *, const char *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

char name[4];
char other[4] = "ab";
int main(void) {
  name[0] = 'a';
  name[1] = (char)__VERIFIER_nondet_int();
  if (name[1] == 'b' - 1 && strcmp(name, other) != 0) {
    reach_error();
  }
  return 0;
}
