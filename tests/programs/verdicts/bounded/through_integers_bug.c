// expect: unsafe
// strategies: auto, bounded
// why: the tag is not taken away

#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct node { int value; };

int main(void) {
    struct node nodes[3] = {{10}, {11}, {12}};
    unsigned at = __VERIFIER_nondet_uint() % 3;
    uintptr_t tagged = (uintptr_t)&nodes[at] + 1;
    struct node *node = (struct node *)(tagged + 3);
    check(node->value == 10 + (int)at);
    check((node == &nodes[1]) == (at == 1));
    return 0;
}
