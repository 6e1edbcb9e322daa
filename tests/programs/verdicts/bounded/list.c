// expect: safe
// strategies: auto, bounded
// why: what is added at the front is taken from there

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct item { struct item *next; int value; };

int main(void) {
    struct item *head = 0;
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count >= 0 && count <= 4);
    for (int i = 0; i < count; i++) {
        struct item *item = malloc(sizeof *item);
        if (!item)
            return 0;
        item->value = i;
        item->next = head;
        head = item;
    }
    while (head) {
        struct item *next = head->next;
        check(head->value == --count);
        free(head);
        head = next;
    }
    check(count == 0);
    return 0;
}
