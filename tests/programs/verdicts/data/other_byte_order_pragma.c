// expect: unknown
// why: the same by a pragma, in an initialiser

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

#pragma scalar_storage_order big-endian
struct big { int value; };
#pragma scalar_storage_order default
struct big b = {1};
int main(void) {
  CHECK(((char *)&b)[0] == 1);
  return 0;
}
