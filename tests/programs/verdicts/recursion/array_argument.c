// expect: safe
// strategies: auto, bounded
// why: elements that a recursive function writes through a pointer

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int cells[8];

static void clear(int *from, int count) {
    if (count == 0)
        return;
    *from = 0;
    clear(from + 1, count - 1);
}

int main(void) {
    cells[0] = 5;
    cells[7] = __VERIFIER_nondet_int();
    clear(cells, 3);
    if (cells[0] != 0)
        reach_error();
    return 0;
}
