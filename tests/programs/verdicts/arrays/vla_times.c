// expect: safe
// strategies: auto, bounded
// why: lengths are evaluated once, where the declaration stands; those of parameters on entry

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int calls;
static int next(void) { return ++calls; }
static int parameter(int n, int a[n++]) { return n; }
int main(void) {
  int n = 3, one[4] = {0};
  int a[n];
  typedef int row[n + 1];
  n = 7;
  row r;
  CHECK(sizeof a == 3 * sizeof(int) && sizeof r == 4 * sizeof(int));
  n = sizeof(char[n++]);
  CHECK(n == 7);
  CHECK(parameter(4, one) == 5);
  char c[next()][next()];
  CHECK(sizeof c == 2 && calls == 2);
  int k = 2, (*p)[k] = (int (*)[k])one;
  k = 9;
  p[1][1] = 5;
  CHECK(one[3] == 5 && sizeof *p == 2 * sizeof(int));
  return 0;
}
