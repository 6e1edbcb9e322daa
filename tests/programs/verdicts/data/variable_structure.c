// expect: unknown
// why: a structure with a variable-length member: its size is fixed where it is declared

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int main(void) {
  int n = 3;
  struct s { int a[n]; char c; };
  n = 5;
  CHECK(sizeof(struct s) == 24);
  return 0;
}
