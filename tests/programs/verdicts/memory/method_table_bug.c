// expect: unsafe
// why: functions are called through a table in a structure

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct shape;

struct methods {
    int (*area)(const struct shape *);
    void (*grow)(struct shape *, int);
};

struct shape {
    const struct methods *methods;
    int width, height;
};

static int area(const struct shape *s) {
    return s->width * s->height;
}

static int perimeter(const struct shape *s) {
    return 2 * (s->width + s->height);
}

static void grow(struct shape *s, int by) {
    s->width += by;
}

static const struct methods plain = {area, grow}, odd = {perimeter, grow};

int main(void) {
    struct shape s = {&plain, 2, 3};
    struct shape t = {&odd, 2, 3};
    struct shape *p = __VERIFIER_nondet_int() ? &s : &t;
    p->methods->grow(p, 1);
    int result = p->methods->area(p);
    check(p == &s ? result == 9 : result == 9);
    return 0;
}
