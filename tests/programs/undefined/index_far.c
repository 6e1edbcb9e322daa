// undefined: outside of at 6:5
static char buffer[8];

int main(void) {
    long long i = 1LL << 33;
    buffer[i] = 1;
    return 0;
}
