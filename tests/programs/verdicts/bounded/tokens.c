// expect: safe
// strategies: auto, bounded
// why: two tokens of one letter, or one of three

#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char text[] = "a,b";
    if (__VERIFIER_nondet_int())
        text[1] = ';';
    int count = 0;
    for (char *token = strtok(text, ","); token; token = strtok(0, ","))
        count += (int)strlen(token);
    if (count != 2 && count != 3)
        reach_error();
    return 0;
}
