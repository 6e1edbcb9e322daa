// undefined: signed overflow at 5:12
// overflow: report
int main(void) {
    long long x = -9223372036854775807LL - 1;
    return -x == 1;
}
