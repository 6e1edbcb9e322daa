// expect: safe
// why: the address is in the index, which is undefined

extern void reach_error(void);

int main(void) {
    int x = 5;
    char *base = 0;
    int *p = (int *)(base + (unsigned long)&x);
    if (*p != 5)
        reach_error();
    return 0;
}
