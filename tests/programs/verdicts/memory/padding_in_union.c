// expect: safe
// strategies: auto, bounded
// why: assigning a member of a union copies the bytes between its members

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct mixed {
    char kind;
    int number;
};

union both {
    struct mixed mixed;
    unsigned char bytes[8];
};

int main(void) {
    union both x, y;
    x.mixed.kind = 1;
    x.mixed.number = 2;
    x.bytes[1] = 5;
    y.bytes[1] = 6;
    y.mixed = x.mixed;
    check(y.bytes[1] == 5 && y.bytes[4] == 2);
    return 0;
}
