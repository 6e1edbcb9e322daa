// expect: safe
// strategies: auto, interpolation, bounded
// why: elements before the one that is found differ from it

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[100000];
    int wanted = __VERIFIER_nondet_int();
    int found = 0;
    while (found < 100000 && a[found] != wanted)
        found++;
    for (int j = 0; j < found; j++)
        if (a[j] == wanted)
            reach_error();
    return 0;
}
