// expect: safe
// check: use-after-free
// run: fine
// why: globals live for ever

int kept;
int main(void) {
  int *p = &kept;
  for (int i = 0; i < 2; i++) {
    int own = i;
    own = *p;
  }
  *p = 3;
  return 0;
}
