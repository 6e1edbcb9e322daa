// expect: unsafe
// why: the way in which CIL writes accesses to members

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct record {
    int first;
    int second;
};

int main(void) {
    struct record r;
    struct record *p = &r;
    int *q;
    *((int *)p) = 1;
    *((int *)((unsigned long)p + 4)) = 2;
    q = (int *)((unsigned long)(&r) + (unsigned long)(&((struct record *)0)->second));
    check(r.first == 1 && r.second == 2 && *q == 1);
    return 0;
}
