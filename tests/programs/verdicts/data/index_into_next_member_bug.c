// expect: unsafe
// why: an index beyond an array inside of a structure may hit the next member

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct s {
    int a[4];
    int b;
};

int main(void) {
    struct s s;
    s.b = 0;
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    s.a[i] = 1;
    if (s.b == 1)
        reach_error();
    return 0;
}
