// expect: unsafe
// why: arrays of structures with arrays of structures

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct cell {
    char kind;
    int weight[2];
};

struct row {
    int sum;
    struct cell cells[3];
};

int main(void) {
    struct row rows[2] = {{0}};
    unsigned i = __VERIFIER_nondet_uint() % 2, j = __VERIFIER_nondet_uint() % 3;
    rows[i].cells[j].weight[1] = 7;
    check(rows[1].cells[2].weight[1] == 0);
    check(rows[0].sum == 0 && rows[1].cells[0].kind == 0);
    return 0;
}
