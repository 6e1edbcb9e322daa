// expect: unsafe
// check: use-after-free
// run: violation
// why: the node is freed first

extern void *malloc(unsigned long);
extern void free(void *);

struct node { struct node *next; };
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = list;
    list = n;
  }
  while (list) {
    free(list);
    list = list->next;
  }
  return 0;
}
