// expect: unsafe
// check: null
// why: the pointer in cleared memory is null

extern void *calloc(unsigned long, unsigned long);

struct node {
  struct node *next;
  int value;
};
int main(void) {
  struct node *n = calloc(1, sizeof *n);
  n->next->value = 1;
  return 0;
}
