#include <stdio.h>

struct item {
    char text[8];
    int a, b;
};
enum { SIZE = 5 };
typedef char unit;
static struct item items[SIZE] = {{"x", 10, 20}};
static int helper(struct item *i) {
    static int calls = 1000;
    return i->a + i->b + calls++;
}
static const char *name = "other";
static void report(void) { printf("%s %d %d\n", name, (int)sizeof(struct item), (int)sizeof(unit)); }
void other_report(void) { report(); }
const char *other_name(void) { return name; }
inline static int twice(int x) { return 20 * x; }
int other_twice(int x) { return twice(x); }
int other_total(void) {
    int total = 0;
    for (int i = 0; i < SIZE; i++) {
        total += helper(&items[i]);
    }
    return total;
}
