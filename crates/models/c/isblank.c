int isblank(int c) {
  return c == ' ' || c == 9;
}
