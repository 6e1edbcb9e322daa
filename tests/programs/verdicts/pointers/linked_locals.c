// expect: safe
// why: structures may point to each other

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
    struct node b = { 2, 0 }, a = { 1, &b };
    a.next->value = 5;
    check(b.value == 5 && a.next->next == 0);
    return 0;
}
