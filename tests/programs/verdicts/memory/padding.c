// expect: safe
// strategies: auto, bounded
// why: memset and memcpy reach the bytes between members, which are compared as bytes

#include <string.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct padded {
    char c;
    int i;
};

int main(void) {
    struct padded a, b;
    memset(&a, 0, sizeof a);
    a.i = __VERIFIER_nondet_int();
    memcpy(&b, &a, sizeof b);
    char *bytes = (char *)&b, *source = (char *)&a;
    if (bytes[1] != source[1] || bytes[3] != 0 || b.i != a.i)
        reach_error();
    return 0;
}
