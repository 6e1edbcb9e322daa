// expect: finished 0
int main(void) {
    int x = 0;
    return x;
}
