// expect: safe
// check: leak
// run: fine
// why: the memory is kept by a variable of a function that never returns

extern void *malloc(unsigned long);
extern void free(void *);
extern void exit(int);
int main(void) {
  char *p = malloc(4);
  p[0] = 1;
  exit(p == 0);
}
