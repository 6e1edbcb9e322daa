// expect: safe
// strategies: auto, bounded
// why: a list that is built in a bounded loop

extern void *malloc(unsigned long);
extern void reach_error(void);

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
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0;
    for (struct node *n = head; n; n = n->next)
        sum = 10 * sum + n->value;
    check(sum == 210);
    return 0;
}
