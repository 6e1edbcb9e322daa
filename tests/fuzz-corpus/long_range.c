struct p { int x, y[3]; struct { int a; union { char c; float f; }; } z; } v[] = {[5] = {1}, [2].y[1] = 3, [0 ... 4294967295] = {.z.c = 4, .y = {[2] = 1, [0] = 5}}, .q = 2, [-1] = {0}, [1 << 20] = {9}};
int a[] = {[0 ... 1000000] = 1};
int b[3] = {1, 2, 3, 4, 5, [2] = 1, 2};
char c[2] = "too long", d[] = {"braces", 1}, e[][2] = {"a", "bc", {'d'}};
union { int i; char c; } u = {1, 2}, w = {.c = 3, .i = 4};
int f = {{{1}}}, g = {}, h = {1, 2}, *i = (int[]){1, 2, [7] = 3};
int main(void) { int j = {j}; struct p k = {.x = k.x}, l = v[0]; return (struct p){l}.x; }
