// expect: unsafe
// why: a pointer beyond an array inside of a structure may hit a member of another type

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct s {
    int a[4];
    char b[4];
};

int main(void) {
    struct s s;
    s.b[0] = 0;
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    int *p = s.a;
    p[i] = 1;
    if (s.b[0] == 1)
        reach_error();
    return 0;
}
