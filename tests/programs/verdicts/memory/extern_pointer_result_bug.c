// expect: unsafe
// why: memory from elsewhere keeps what is stored

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct device {
    int status;
    struct device *parent;
};

extern struct device *find(int);

int main(void) {
    struct device *d = find(1);
    if (!d)
        return 0;
    d->status = 4;
    int local = 5;
    check(d->status == 5 && local == 5);
    return 0;
}
