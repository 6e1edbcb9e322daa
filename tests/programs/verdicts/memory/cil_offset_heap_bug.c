// expect: unsafe
// why: the way in which CIL writes accesses, in allocated memory

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct record {
    int first;
    int second;
    struct record *next;
};

int main(void) {
    struct record *p = malloc(sizeof *p);
    p->first = 1;
    *((int *)((unsigned long)p + 4)) = 2;
    *((struct record **)((unsigned long)p + 8)) = p;
    check(p->next->second == 1);
    return 0;
}
