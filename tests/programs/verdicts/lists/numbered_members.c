// expect: safe
// strategies: auto, interpolation; bounded = unknown
// data-model: ilp32
// why: members are found by adding to the address as a number

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct item {
    int value;
    struct item *next;
};

int main(void) {
    struct item *first = malloc(8);
    struct item *last = first;
    while (__VERIFIER_nondet_int()) {
        *(int *)last = 5;
        struct item *item = malloc(8);
        unsigned address = (unsigned)last + 4;
        *(struct item **)address = item;
        last = item;
    }
    *(int *)last = 5;
    *(struct item **)((unsigned)last + 4) = 0;
    struct item *at = first;
    while (at != 0) {
        if (*(int *)at != 5)
            reach_error();
        unsigned address = (unsigned)at + 4;
        at = *(struct item **)address;
    }
    return 0;
}
