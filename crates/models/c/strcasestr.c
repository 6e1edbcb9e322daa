static int lower(int c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

char *strcasestr(const char *text, const char *part) {
  for (;; text++) {
    int i = 0;
    while (part[i] && lower(text[i] & 255) == lower(part[i] & 255)) {
      i++;
    }
    if (!part[i]) {
      return (char *)text;
    }
    if (!*text) {
      return 0;
    }
  }
}
