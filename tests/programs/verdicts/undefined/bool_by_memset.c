// expect: safe
// strategies: auto
// why: all bytes of the structure become 0, and so does the `_Bool`

#include <string.h>

extern void reach_error(void);

struct s {
    char c;
    _Bool truth;
} s, t;

int main(void) {
    memset(&s, 0, sizeof s);
    t = s;
    struct s *p = &t;
    if (p->truth)
        reach_error();
    return 0;
}
