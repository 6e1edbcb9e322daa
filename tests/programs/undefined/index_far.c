// undefined: outside of at 7:5
// models: lp64
static char buffer[8];

int main(void) {
    long long i = 1LL << 33;
    buffer[i] = 1;
    return 0;
}
