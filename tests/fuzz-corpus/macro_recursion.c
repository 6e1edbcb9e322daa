#define A B
#define B C A
#define C B A
#define F(x) F(F(x)) G
#define G(x) F(x) G(G)(x)
#define H H(H)(H
#define X(a, ...) X(__VA_ARGS__, a) a##a #a
#define D0 1 +
#define D1 D0 D0 D0 D0
#define D2 D1 D1 D1 D1
#define D3 D2 D2 D2 D2
#define D4 D3 D3 D3 D3
int A, B, C;
int x = F(G)(F(1)) H X(1, 2, 3);
int main(void) { return D4 0; }
