// expect: safe
// why: from a member of a local structure back to the structure

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct inner {
    short a, b;
};

struct outer {
    char first;
    struct inner inner;
    int last;
};

static int last_of(struct inner *p) {
    struct outer *o = (struct outer *)((char *)p - (unsigned long)&((struct outer *)0)->inner);
    return o->last + o->inner.b;
}

int main(void) {
    struct outer one = {1, {2, 3}, 4}, two = {5, {6, 7}, 8};
    struct inner *p = __VERIFIER_nondet_int() ? &one.inner : &two.inner;
    check(last_of(p) == 7 || last_of(p) == 15);
    return 0;
}
