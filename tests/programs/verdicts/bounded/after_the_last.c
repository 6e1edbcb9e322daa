// expect: safe
// strategies: auto, bounded
// why: behind the last assertion nothing matters, neither loops without bounds nor what is undefined

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int served;

static void serve(int *table) {
    for (;;) {
        table[__VERIFIER_nondet_int()] = 100 / __VERIFIER_nondet_int();
        served++;
    }
}

int main(void) {
    int table[16];
    int sum = 0;
    for (int i = 0; i < 16; i++)
        table[i] = i;
    for (int i = 0; i < 16; i++)
        sum += table[i];
    if (sum != 120)
        reach_error();
    serve(table);
    return 0;
}
