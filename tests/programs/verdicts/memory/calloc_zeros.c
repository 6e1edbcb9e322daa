// expect: safe
// why: calloc clears, and what is written stays

extern void *calloc(unsigned long, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct item {
    int count;
    struct item *next;
    char name[6];
};

int main(void) {
    struct item *p = calloc(2, sizeof *p);
    check(p[1].next == 0 && p[0].name[5] == 0);
    p[0].next = &p[1];
    p[0].next->count = 4;
    check(p[1].count + p[0].count == 4);
    return 0;
}
