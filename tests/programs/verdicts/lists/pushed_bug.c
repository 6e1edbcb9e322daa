// expect: unsafe
// why: some items have another value

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
        item->value = top ? 3 : 4;
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
