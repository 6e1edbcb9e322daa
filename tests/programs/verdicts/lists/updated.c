// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: a second walk changes the values of all items

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct item {
    int value;
    struct item *next;
};

int main(void) {
    struct item *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof(struct item));
        item->value = 1;
        item->next = list;
        list = item;
    }
    for (struct item *at = list; at; at = at->next)
        if (at->value == 1)
            at->value = 2;
    for (struct item *at = list; at; at = at->next)
        if (at->value != 1 && at->value != 2)
            reach_error();
    return 0;
}
