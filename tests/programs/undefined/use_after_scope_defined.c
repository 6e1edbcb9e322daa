// expect: finished 0
int main(void) {
    int *p;
    int x = 0;
    {
        p = &x;
    }
    return *p;
}
