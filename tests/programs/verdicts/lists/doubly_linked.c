// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: neighbours point to each other

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct item {
    struct item *next;
    struct item *previous;
};

int main(void) {
    struct item *first = malloc(sizeof(struct item));
    struct item *last = first;
    first->previous = 0;
    first->next = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof(struct item));
        item->previous = last;
        item->next = 0;
        last->next = item;
        last = item;
    }
    for (struct item *at = first; at->next != 0; at = at->next)
        if (at->next->previous != at)
            reach_error();
    return 0;
}
