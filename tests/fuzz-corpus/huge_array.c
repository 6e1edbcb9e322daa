char a[0x7fffffffffffffff];
int b[1ull << 60][1ull << 60];
struct { int c[-1]; } d;
int e[0x100000000];
int main(void) { return sizeof a; }
