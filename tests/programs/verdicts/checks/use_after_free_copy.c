// expect: safe
// check: use-after-free
// why: the memory is copied and then freed

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
  memcpy(&r, p, sizeof r);
  free(p);
  return r.key == 2;
}
