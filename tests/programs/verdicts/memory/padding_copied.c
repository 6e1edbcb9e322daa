// expect: safe
// why: copying a structure copies the bytes between its members

extern void *memcpy(void *, const void *, unsigned long);
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
    struct mixed a = {1, 2}, b = {3, 4};
    ((unsigned char *)&a)[1] = 5;
    ((unsigned char *)&b)[1] = 6;
    memcpy(&b, &a, sizeof b);
    check(((unsigned char *)&b)[1] == 5 && b.number == 2);
    return 0;
}
