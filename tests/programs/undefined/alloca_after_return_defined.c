// expect: finished 0
static int look(int *p) { return *p; }

int main(void) {
    int *p = __builtin_alloca(sizeof *p);
    *p = 0;
    return look(p);
}
