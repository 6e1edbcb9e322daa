// expect: safe
// why: a union behind a pointer with a tag that says which member it is

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct value {
    int is_pointer;
    union {
        int number;
        int *pointer;
    } u;
};

static int get(const struct value *v) {
    return v->is_pointer ? *v->u.pointer : v->u.number;
}

int main(void) {
    int x = 6;
    struct value v[2];
    v[0].is_pointer = 0;
    v[0].u.number = 5;
    v[1].is_pointer = 1;
    v[1].u.pointer = &x;
    x = 7;
    check(get(&v[0]) + get(&v[1]) == 12);
    return 0;
}
