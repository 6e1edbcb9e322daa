// expect: safe
// check: bounds
// why: the distance to another object is not used

extern void *malloc(unsigned long);

int main(void) {
  char *a = malloc(8);
  char *b = malloc(8);
  long way = (long)b - (long)a;
  b[0] = (char)(way != 0);
  return 0;
}
