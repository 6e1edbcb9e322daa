// expect: finished 0
// models: lp64
static char buffer[8];

int main(void) {
    long long i = 7;
    buffer[i] = 1;
    return 0;
}
