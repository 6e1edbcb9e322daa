// expect: unsafe
// check: double-free
// why: both of them free

extern void *malloc(unsigned long);
extern void free(void *);

static void drop(void *p) {
  free(p);
}
static void leave(void *p) {
  (void)p;
}
static void finish(void (*action)(void *), void *p) {
  action(p);
}
int main(void) {
  char *p = malloc(3);
  finish(drop, p);
  finish(drop, p);
  return 0;
}
