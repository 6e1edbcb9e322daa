// expect: unsafe
// why: the last elements differ

extern void reach_error(void);

int compare(const int *one, const int *other, unsigned long count) {
  for (unsigned long i = 0; i < count; i++) {
    if (one[i] != other[i]) {
      return 1;
    }
  }
  return 0;
}

int main(void) {
  int one[3] = {1, 2, 3};
  int other[3] = {1, 2, 4};
  if (compare(one, other, 3)) {
    reach_error();
  }
  return 0;
}
