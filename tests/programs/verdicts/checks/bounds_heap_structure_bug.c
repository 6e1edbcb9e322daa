// expect: unsafe
// check: bounds
// why: only as much as a pointer is allocated

extern void *malloc(unsigned long);

struct record {
  int key;
  int value[3];
};
int main(void) {
  struct record *r = malloc(sizeof r);
  r->key = 1;
  r->value[2] = 2;
  return 0;
}
