// expect: unsafe
// check: leak
// run: violation
// why: only the first node is freed

extern void *malloc(unsigned long);
extern void free(void *);

struct node { struct node *next; };
int main(void) {
  struct node *a = malloc(sizeof *a);
  a->next = malloc(sizeof *a);
  a->next->next = 0;

  free(a);
  return 0;
}
