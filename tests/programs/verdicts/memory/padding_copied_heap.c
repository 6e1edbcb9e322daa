// expect: safe
// strategies: auto, bounded
// why: copying a structure in allocated memory copies the bytes between its members

extern void *malloc(unsigned long);
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
    struct mixed *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    ((unsigned char *)a)[1] = 5;
    ((unsigned char *)b)[1] = 6;
    a->number = 2;
    *b = *a;
    check(((unsigned char *)b)[1] == 5 && b->number == 2);
    return 0;
}
