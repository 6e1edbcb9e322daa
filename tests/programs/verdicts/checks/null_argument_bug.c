// expect: unsafe
// check: null
// why: the caller passes a null pointer

static void set(int *p, int value) {
  *p = value;
}
int main(void) {
  int x = 0;
  set((int *)0, 3);
  return x;
}
