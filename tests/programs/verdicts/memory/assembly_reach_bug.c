// expect: unknown
// why: what it can reach in two steps may be written

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct node {
    struct node *next;
    int data;
};

static struct node last, first;

int main(void) {
    struct node *p = &first;
    first.next = &last;
    __asm__ volatile("mov (%0), %%rax; movl $1, 8(%%rax)" : : "r"(p) : "memory", "rax");
    check(last.data == 0);
    return 0;
}
