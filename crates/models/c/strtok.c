static int is_one_of(char c, const char *set) {
  while (*set && *set != c) {
    set++;
  }
  return *set != 0;
}

char *strtok(char *restrict text, const char *restrict separators) {
  static char *rest;
  char *start = text ? text : rest;
  while (*start && is_one_of(*start, separators)) {
    start++;
  }
  char *end = start;
  while (*end && !is_one_of(*end, separators)) {
    end++;
  }
  rest = *end ? end + 1 : end;
  if (end == start) {
    return 0;
  }
  *end = 0;
  return start;
}
