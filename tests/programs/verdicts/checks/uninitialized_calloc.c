// expect: safe
// check: uninitialized
// why: the memory is cleared

extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);

struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *n = calloc(1, sizeof *n);
  return n->value;
}
