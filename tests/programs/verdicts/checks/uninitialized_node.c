// expect: safe
// check: uninitialized
// why: the list is ended

extern void *malloc(unsigned long);

struct node {
  struct node *next;
};
int main(void) {
  struct node *first = malloc(sizeof *first);
  struct node *second = malloc(sizeof *second);
  first->next = second;
  second->next = 0;
  return first->next->next == 0;
}
