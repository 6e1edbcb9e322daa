// expect: finished 0
// overflow: report
int main(void) {
    unsigned short a = 65535, b = 2;
    return a * b == 1;
}
