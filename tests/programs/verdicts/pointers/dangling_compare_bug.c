// expect: unknown
// why: a new variable need not be where an old one was

extern void reach_error(void);

int *keep;

int differs(void) {
    int x = 1;
    int result = keep != 0 && keep != &x;
    keep = &x;
    return result;
}

int main(void) {
    differs();
    if (differs())
        reach_error();
    return 0;
}
