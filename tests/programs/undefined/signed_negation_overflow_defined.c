// expect: finished 0
// overflow: report
int main(void) {
    long long x = -9223372036854775807LL;
    return -x == 1;
}
