// expect: safe
// strategies: auto, interpolation, summaries, bounded
// why: a proof says of a loop that no execution reaches that none does

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int opened;

static void gate(int kind) {
    int tries = 0;
    if (opened)
        reach_error();
    if (kind == 3) {
        while (!opened) {
            tries++;
            if (tries > 2)
                opened = __VERIFIER_nondet_int();
        }
    }
}

int main(void) {
    gate(2);
    if (opened)
        reach_error();
    return 0;
}
