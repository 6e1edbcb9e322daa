// expect: unsafe
// why: bit-fields behind a pointer

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct flags {
    unsigned ready : 1;
    int level : 4;
    unsigned rest : 11;
};

static void raise(struct flags *f) {
    f->level++;
}

int main(void) {
    struct flags *f = malloc(sizeof *f), g = {0, 2, 9};
    f->ready = 1;
    f->level = 7;
    f->rest = 100;
    raise(f);
    raise(&g);
    check(f->level == 7 && f->ready == 1 && f->rest == 100 && g.level == 3);
    return 0;
}
