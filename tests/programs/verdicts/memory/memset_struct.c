// expect: safe
// why: memset clears a structure with a pointer and an array

extern void *memset(void *, int, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct state {
    int *where;
    int counts[3];
    char mode;
};

int main(void) {
    int x = 1;
    struct state s = {&x, {1, 2, 3}, 'm'};
    memset(&s, 0, sizeof s);
    check(s.where == 0 && s.counts[1] == 0 && s.mode == 0);
    return 0;
}
