// expect: unsafe
// check: bounds
// why: a loop over more

int main(void) {
  int a[6];
  for (int i = 0; i < 7; i++) {
    a[i] = i;
  }
  return a[3];
}
