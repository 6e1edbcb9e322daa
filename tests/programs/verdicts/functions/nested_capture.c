// expect: unknown
// why: a nested function that uses a variable of the function around it

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int main(void) {
  int k = 1;
  int add(int a, int b) { return a + b + k; }
  CHECK(add(2, 3) == 6);
  return 0;
}
