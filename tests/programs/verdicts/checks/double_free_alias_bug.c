// expect: unsafe
// check: double-free
// why: two names stand for the same memory

extern void *malloc(unsigned long);
extern void free(void *);

struct pair {
  char *first;
  char *second;
};
int main(void) {
  struct pair p;
  p.first = malloc(3);
  p.second = p.first;
  free(p.first);
  free(p.second);
  return 0;
}
