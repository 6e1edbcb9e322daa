// expect: safe
// strategies: auto, interpolation, bounded
// why: all nodes of a list of any length have the same value

extern void *malloc(unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 1;
        n->next = head;
        head = n;
    }
    if (head)
        check(head->value == 1);
    return 0;
}
