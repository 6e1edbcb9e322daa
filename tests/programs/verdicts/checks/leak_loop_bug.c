// expect: unsafe
// check: leak
// run: violation
// why: each round forgets

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  for (int i = 0; i < 3; i++) {
    char *p = malloc(i + 1);
    p[0] = 1;
  }
  return 0;
}
