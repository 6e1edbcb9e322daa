static int is_one_of(char c, const char *set) {
  while (*set && *set != c) {
    set++;
  }
  return *set != 0;
}

char *strsep(char **restrict text, const char *restrict separators) {
  char *start = *text;
  if (!start) {
    return 0;
  }
  char *end = start;
  while (*end && !is_one_of(*end, separators)) {
    end++;
  }
  if (*end) {
    *end = 0;
    *text = end + 1;
  } else {
    *text = 0;
  }
  return start;
}
