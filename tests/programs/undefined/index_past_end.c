// undefined: outside of at 5:18
static int sum(const int *a, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        total += a[i];
    }
    return total;
}

int main(void) {
    int a[4] = {1, -1, 2, -2};
    return sum(a, 5);
}
