// expect: unsafe
// check: use-after-free
// why: the memory is freed and then copied

extern void *malloc(unsigned long);
extern void free(void *);
extern void *memcpy(void *, const void *, unsigned long);

struct record {
  int key;
  int value;
};
int main(void) {
  struct record r;
  struct record *p = malloc(sizeof *p);
  p->key = p->value = 1;
  free(p);
  memcpy(&r, p, sizeof r);
  return r.key == 2;
}
