// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: items with one value, then items with another, then an end

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
        last->value = 10;
        last->next = malloc(sizeof(struct item));
        last = last->next;
    }
    while (__VERIFIER_nondet_int()) {
        last->value = 20;
        last->next = malloc(sizeof(struct item));
        last = last->next;
    }
    last->value = 30;
    struct item *at = first;
    while (at->value == 10)
        at = at->next;
    while (at->value == 20)
        at = at->next;
    if (at->value != 30)
        reach_error();
    return 0;
}
