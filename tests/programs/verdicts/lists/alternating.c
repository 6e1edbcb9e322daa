// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: values take turns, and so does the flag of whoever reads them

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
    int is_even = 0;
    while (__VERIFIER_nondet_int()) {
        last->value = is_even ? 8 : 7;
        is_even = !is_even;
        last->next = malloc(sizeof(struct item));
        last = last->next;
    }
    last->value = 0;
    is_even = 0;
    for (struct item *at = first; at->value != 0; at = at->next) {
        if (at->value != (is_even ? 8 : 7))
            reach_error();
        is_even = !is_even;
    }
    return 0;
}
