// expect: unsafe
// check: uninitialized
// why: the last pointer was never set

extern void *malloc(unsigned long);

struct node {
  struct node *next;
};
int main(void) {
  struct node *first = malloc(sizeof *first);
  struct node *second = malloc(sizeof *second);
  first->next = second;
  return first->next->next == 0;
}
