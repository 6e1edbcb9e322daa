// expect: safe
// why: a copy of an empty text on the heap is empty

extern char *strdup(const char *);
extern void reach_error(void);

int main(void) {
  char *copy = strdup("");
  if (copy && copy[0] != 0) {
    reach_error();
  }
  return 0;
}
