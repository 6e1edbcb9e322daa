// expect: safe
// why: memset clears the bytes between the members of a structure

extern void *memset(void *, int, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct mixed {
    char kind;
    int number;
};

int main(void) {
    struct mixed a = {1, 2};
    ((unsigned char *)&a)[1] = 5;
    memset(&a, 0, sizeof a);
    check(((unsigned char *)&a)[1] == 0 && a.number == 0);
    return 0;
}
