// expect: finished 0
struct pair {
    int a, b;
};

int main(void) {
    struct pair p;
    p.b = 0;
    struct pair q = p; // a copy of a partly set structure is fine
    return q.b;
}
