// expect: finished 0
int main(void) {
    int x = 0;
    int *p = (int *)((unsigned long)&x);
    return *p;
}
