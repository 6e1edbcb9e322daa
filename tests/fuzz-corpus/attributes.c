__attribute__((packed, aligned(3), aligned(0), aligned(1 << 29), unknown(1, "x", y), section("s"), mode(QI), vector_size(16), vector_size(3), transparent_union, alias("z"), constructor(101), cleanup(f), noreturn, , )) int a;
struct __attribute__((packed)) s { int x __attribute__((aligned(1024))); } __attribute__((aligned(2))) t;
int b __attribute__((mode(TI))), c __attribute__((mode(XX)));
_Alignas(3) int d; _Alignas(0) int e; _Alignas(1 << 30) int f; _Alignas(struct s) char g; _Alignas(-1) int h;
typedef int v4 __attribute__((vector_size(16))); v4 v = {1, 2, 3, 4};
[[nodiscard]] int k(void); __declspec(x) int l;
int __attribute__((__stdcall__)) m(int n __attribute__((unused)), ...) __attribute__((format(printf, 1, 2)));
int main(void) { label: __attribute__((unused)); switch (1) { case 1: __attribute__((fallthrough)); default: ; } return v[1] + (v + v)[2] + _Alignof(a); }
