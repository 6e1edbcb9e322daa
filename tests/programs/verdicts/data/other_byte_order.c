// expect: unknown
// why: members that are stored in the other order of bytes

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

struct __attribute__((scalar_storage_order("big-endian"))) big { int value; char byte; };
int main(void) {
  struct big b;
  b.byte = 1;
  CHECK(b.byte == 1);
  b.value = 1;
  CHECK(((char *)&b)[0] == 1);
  return 0;
}
