// expect: unsafe
// why: two structures that begin in the same way

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct base {
    int kind;
};

struct derived {
    int kind;
    int extra;
};

static int read(struct base *b) {
    if (b->kind == 1)
        return ((struct derived *)b)->extra;
    return 0;
}

int main(void) {
    struct base plain = {0};
    struct derived more = {1, 6};
    check(read(&plain) == 0 && read((struct base *)&more) == 5);
    return 0;
}
