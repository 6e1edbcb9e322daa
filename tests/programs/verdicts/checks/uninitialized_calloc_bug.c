// expect: unsafe
// check: uninitialized
// why: the memory is not cleared

extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);

struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *n = malloc(sizeof *n);
  return n->value;
}
