int $ = 1, a$b = 2, $$1 = 3;
#define $m(x) x$
struct $s { int $f; } $v;
int main(void) { $: return $ + a$b + $$1 + $v.$f; }
