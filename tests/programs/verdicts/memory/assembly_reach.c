// expect: safe
// why: what no pointer leads to is not written

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct node {
    struct node *next;
    int data;
};

static struct node last, first, other;

int main(void) {
    struct node *p = &first;
    struct node *q = &other;
    q->data = 3;
    first.next = &last;
    __asm__ volatile("mov (%0), %%rax; movl $1, 8(%%rax)" : : "r"(p) : "memory", "rax");
    check(other.data == 3);
    return 0;
}
