// expect: finished 0
int main(void) {
    unsigned x = 1;
    return __builtin_clz(x) > 32;
}
