// expect: unknown
// strategies: auto
// why: a `_Bool` whose byte is 6 is copied with its structure

#include <string.h>

extern void reach_error(void);

struct s {
    char c;
    _Bool truth;
} s, t;

int main(void) {
    memset(&s, 6, sizeof s);
    t = s;
    struct s *p = &t;
    if (p->truth)
        reach_error();
    return 0;
}
