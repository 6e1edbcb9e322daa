// expect: finished 0
int main(void) {
    short s[4] = {0};
    long long *wide = (long long *)s;
    return *wide != 0;
}
