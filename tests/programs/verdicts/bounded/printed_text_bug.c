// expect: unsafe
// strategies: auto, bounded
// why: there is no room for more than five characters

#include <stdio.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    char name[4] = "", text[6];
    for (int i = 0; i < 3; i++)
        name[i] = (char)__VERIFIER_nondet_uchar();
    int length = snprintf(text, sizeof text, "<%s>%c%02x", name, 'a', 10);
    if (length != (int)strlen(name) + 5 || strlen(text) != 6)
        reach_error();
    if (text[0] != '<' || (!name[0] && strcmp(text, "<>a0a")))
        reach_error();
    return 0;
}
