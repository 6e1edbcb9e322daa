// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: all items have one value; the list grows at its front

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct item {
    int value;
    struct item *next;
};

int main(void) {
    struct item *top = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof(struct item));
        item->value = 4;
        item->next = top;
        top = item;
    }
    while (top) {
        if (top->value != 4)
            reach_error();
        top = top->next;
    }
    return 0;
}
