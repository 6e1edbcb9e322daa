// expect: safe
// check: bounds
// why: a loop over the array

int main(void) {
  int a[6];
  for (int i = 0; i < 6; i++) {
    a[i] = i;
  }
  return a[3];
}
