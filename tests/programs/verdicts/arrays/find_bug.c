// expect: unsafe
// why: the search starts behind the first element

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[6];
    int wanted = __VERIFIER_nondet_int();
    int found = 1;
    while (found < 6 && a[found] != wanted)
        found++;
    for (int j = 0; j < found; j++)
        if (a[j] == wanted)
            reach_error();
    return 0;
}
