// expect: safe
// check: double-free
// why: the names stand for different memory

extern void *malloc(unsigned long);
extern void free(void *);

struct pair {
  char *first;
  char *second;
};
int main(void) {
  struct pair p;
  p.first = malloc(3);
  p.second = malloc(3);
  free(p.first);
  free(p.second);
  return 0;
}
