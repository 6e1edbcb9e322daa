// undefined: outside of at 9:12
struct pair {
    int a, b;
};

int main(void) {
    struct pair p[2] = {{1, 2}, {3, 4}}, *q = p;
    q += 2;
    return q->b - 4;
}
