char *s = "never closed;
int main(void) { return 'a; }
