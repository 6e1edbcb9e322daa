// expect: unsafe
// why: the changed copy is taken back

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int sink;

static void change(int x) {
    x++;
    sink = x;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), before = a;
    a = (change(a), sink);
    check(a == before);
    return 0;
}
