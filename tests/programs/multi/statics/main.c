// Static functions, variables, types and enumerators with the same names in two files.
#include <stdio.h>

struct item {
    int a;
};
enum { SIZE = 3 };
typedef long unit;
static struct item items[SIZE] = {{1}, {2}, {3}};
static int helper(int x) {
    static int calls;
    return x + ++calls;
}
static const char *name = "main";
int other_total(void);
const char *other_name(void);
static void report(void) { printf("%s %d\n", name, (int)(sizeof(struct item) / sizeof(int))); }
void other_report(void);
inline static int twice(int x) { return 2 * x; }
int other_twice(int);

int main(void) {
    int total = 0;
    for (int i = 0; i < SIZE; i++) {
        total += helper(items[i].a);
    }
    printf("%d %d\n", total, other_total());
    printf("%s %s\n", name, other_name());
    report();
    other_report();
    printf("%d %d %d\n", twice(5), other_twice(5), (int)(sizeof(unit) == sizeof(long)));
    return 0;
}
