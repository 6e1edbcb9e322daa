// expect: safe
// strategies: auto, bounded
// why: a structure owns what its member points to

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct buffer {
    int length;
    int *data;
};

static void fill(struct buffer *b, int value) {
    for (int i = 0; i < b->length; i++)
        b->data[i] = value;
}

int main(void) {
    int store[3] = {0, 0, 9};
    struct buffer b = {2, store};
    fill(&b, 4);
    check(store[0] == 4 && store[2] == 9);
    return 0;
}
