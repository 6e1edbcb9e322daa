// expect: safe
// why: assigning a structure between heap, globals and locals

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct record {
    int id;
    char name[4];
    struct {
        short low, high;
    } range;
};

static struct record stored;

int main(void) {
    struct record *p = malloc(sizeof *p);
    struct record local = {1, "abc", {2, 3}};
    *p = local;
    local.name[1] = 'x';
    stored = *p;
    p->range.high = 9;
    check(stored.name[1] == 'b' && stored.range.high == 3 && stored.id == 1);
    return 0;
}
