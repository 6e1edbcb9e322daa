// expect: finished 0
static int *leak(void) {
    static int local = 0;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = leak();
    return *p;
}
