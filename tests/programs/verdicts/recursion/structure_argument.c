// expect: safe
// strategies: auto, summaries; bounded = unknown; interpolation = unknown
// why: a structure by value and as a result of a recursive function

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct pair {
    int low, high;
};

static struct pair spread(struct pair p, int times) {
    if (times == 0)
        return p;
    p.low--;
    p.high++;
    return spread(p, times - 1);
}

int main(void) {
    struct pair p = {0, 0};
    int times = __VERIFIER_nondet_int();
    if (times < 0 || times > 100)
        return 0;
    p = spread(p, times);
    if (p.low + p.high != 0)
        reach_error();
    return 0;
}
