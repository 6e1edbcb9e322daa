unsigned long long a = 99999999999999999999999999999999;
int b = 0xffffffffffffffffffffffffffff;
double c = 1e999999999, d = 1e-999999999, e = 0x1p99999;
int f = 1 << 1000, g = 1 / 0, h = 1 % 0, i = -9223372036854775807LL - 1 / -1;
enum { J = 18446744073709551615u, K };
struct { int l : 99; int m : -1; int n : 0; } o;
int p = 'abcdefgh', q = '', r = '\xfffffffff', s = '\777';
int main(void) { switch (0) { case 0xffffffffffffffff ... 0: case 1 ... 0: case 1 ... 9223372036854775807: ; } return 09; }
