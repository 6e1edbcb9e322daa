// expect: safe
// strategies: auto, bounded
// why: a circular list whose links are members of its items; no proof is found in the time

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct link {
    struct link *next, *prev;
};

struct item {
    int number;
    struct link link;
    char tag;
};

static struct link head = {&head, &head};

static void add_tail(struct link *new) {
    new->prev = head.prev;
    new->next = &head;
    head.prev->next = new;
    head.prev = new;
}

static struct item *item_of(struct link *link) {
    return (struct item *)((char *)link - __builtin_offsetof(struct item, link));
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct item *new = malloc(sizeof *new);
        new->number = i + 1;
        new->tag = 'a';
        add_tail(&new->link);
    }
    int sum = 0;
    for (struct link *p = head.next; p != &head; p = p->next)
        sum = 10 * sum + item_of(p)->number;
    check(sum == 12);
    return 0;
}
