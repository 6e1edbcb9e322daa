# 1 "<built-in>"
# 1 "other.c" 1 3
extern int printf(const char *, ...) __attribute__((__nothrow__ , __leaf__));
# 20 "main.c" 2
#pragma GCC diagnostic push
int main(void) {
# 5 "macro.h" 3 4
 return __extension__ 0;
# 999999 "main.c"
}
