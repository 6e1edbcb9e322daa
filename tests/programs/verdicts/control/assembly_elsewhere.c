// expect: safe
// strategies: auto, interpolation
// why: inline assembly whose operands, instructions and comments look like names of the program

extern void abort(void);
void reach_error(void) {}
#define CHECK(x) do { if (!(x)) reach_error(); } while (0)

int counter = 1, lock = 2, addl = 3;
int main(void) {
  int value = 1;
  asm volatile("lock; addl $1, %[counter] # counter" : [counter] "+m"(value));
  CHECK(counter + lock + addl == 6);
  return 0;
}
