// expect: safe
// check: leak
// run: fine
// why: the whole list is freed

extern void *malloc(unsigned long);
extern void free(void *);

struct node { struct node *next; };
int main(void) {
  struct node *a = malloc(sizeof *a);
  a->next = malloc(sizeof *a);
  a->next->next = 0;
  free(a->next);
  free(a);
  return 0;
}
