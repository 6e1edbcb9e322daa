// expect: unknown
// strategies: auto
// why: a `_Bool` in allocated memory whose byte is 2 may be true or false

#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct s {
    int number;
    _Bool truth;
};

int main(void) {
    struct s *s = malloc(sizeof *s);
    s->number = 4;
    unsigned char *byte = (unsigned char *)&s->truth;
    *byte = __VERIFIER_nondet_uchar() % 2 + 1;
    if (*byte == 0)
        return 0;
    if (!s->truth)
        reach_error();
    free(s);
    return 0;
}
