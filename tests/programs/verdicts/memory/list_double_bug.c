// expect: unsafe
// why: removing a node from a doubly linked list

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct node {
    struct node *next, *prev;
    int value;
};

static void insert(struct node *after, struct node *n) {
    n->next = after->next;
    n->prev = after;
    after->next->prev = n;
    after->next = n;
}

static void remove_node(struct node *n) {
    n->prev->next = n->next;
    n->next->prev = n->prev;
}

int main(void) {
    struct node head = {&head, &head, 0}, a, b;
    a.value = 1;
    b.value = 2;
    insert(&head, &a);
    insert(&head, &b);
    remove_node(&a);
    check(head.next == &a && head.prev == &a && a.next == &head);
    return 0;
}
