// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: all items have one value; the list grows at its end

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct item {
    int value;
    struct item *next;
};

int main(void) {
    struct item *first = malloc(sizeof(struct item));
    struct item *last = first;
    while (__VERIFIER_nondet_int()) {
        last->value = 5;
        last->next = malloc(sizeof(struct item));
        last = last->next;
    }
    last->value = 5;
    last->next = 0;
    for (struct item *at = first; at != 0; at = at->next)
        if (at->value != 5)
            reach_error();
    return 0;
}
