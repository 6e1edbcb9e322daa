// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: an input chooses the value of all items, and the value that is looked for

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct item {
    int value;
    struct item *next;
};

int main(void) {
    int choice = __VERIFIER_nondet_int();
    struct item *first = malloc(sizeof(struct item));
    struct item *last = first;
    while (__VERIFIER_nondet_int()) {
        if (choice)
            last->value = 1;
        else
            last->value = 2;
        last->next = malloc(sizeof(struct item));
        last = last->next;
    }
    last->value = 9;
    struct item *at = first;
    if (choice)
        while (at->value == 1)
            at = at->next;
    else
        while (at->value == 2)
            at = at->next;
    if (at->value != 9)
        reach_error();
    return 0;
}
