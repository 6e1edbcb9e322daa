#define G(x) _Generic((x), int: 1, int: 2, default: 3, default: 4, void: 5, int[3]: 6, int(int): 7, struct undefined: 8)
int a = _Generic(1, char: 2), b = _Generic(1), c = _Generic(, int: 1), d = G(1);
int main(void) { return _Generic(main, int (*)(void): main, default: 0)() + _Generic("a", char *: 1, const char *: 2, char[2]: 3) + _Generic((const int)1, int: 1, const int: 2); }
_Static_assert(1, "a"); _Static_assert(0, "b"); _Static_assert(x); struct { _Static_assert(sizeof(int) == 5, ""); };
