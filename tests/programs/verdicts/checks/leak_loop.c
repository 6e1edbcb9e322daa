// expect: safe
// check: leak
// run: fine
// why: each round frees

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  for (int i = 0; i < 3; i++) {
    char *p = malloc(i + 1);
    free(p);
  }
  return 0;
}
