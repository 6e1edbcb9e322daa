int isspace(int c) {
  return (c == ' ' || (c >= 9 && c <= 13)) ? 8192 : 0;
}
