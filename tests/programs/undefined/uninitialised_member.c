// undefined: never set at 10:12
struct pair {
    int a, b;
};

int main(void) {
    struct pair p;
    p.a = 0;
    struct pair q = p; // a copy of a partly set structure is fine
    return q.b;
}
