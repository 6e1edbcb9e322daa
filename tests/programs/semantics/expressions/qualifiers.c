// const, volatile and restrict objects, pointers to them, and register variables.
#include <stdio.h>

static const int limit = 10;
static volatile int shared = 5;
static const struct {
    int id;
    const char *const name;
} entries[] = {{1, "one"}, {2, "two"}};
const volatile unsigned status = 0x80;

static void copy(int *restrict to, const int *restrict from, int n) {
    while (n-- > 0) {
        *to++ = *from++;
    }
}

static int read_twice(volatile int *p) { return *p + *p; }

static int length(const char *s) {
    register const char *p = s;
    while (*p) {
        p++;
    }
    return p - s;
}

typedef int *pointer;

struct device {
    volatile unsigned control;
    const volatile unsigned state;
    volatile struct {
        unsigned char low, high;
    } data[2];
};

int main(void) {
    const int local = limit * 2;
    int values[3] = {1, 2, 3}, target[3];
    copy(target, values, 3);
    printf("%d %d %d\n", target[0], target[1], target[2]);
    shared++;
    shared += shared;
    printf("%d %d\n", shared, read_twice(&shared));
    printf("%d %s\n", entries[1].id, entries[0].name);
    printf("%u %d\n", status, local);
    const pointer fixed = values;
    *fixed = 9;
    printf("%d\n", values[0]);
    const int *p = values;
    p++;
    printf("%d\n", *p);
    int *const q = &values[2];
    *q += 1;
    printf("%d\n", *q);
    const int *const *pp = &p;
    printf("%d\n", **pp);
    printf("%d\n", length("register"));
    struct device d = {.control = 1, .state = 2, .data = {{3, 4}, {5, 6}}};
    d.control |= 0x10;
    d.data[1].high = d.data[0].low;
    printf("%u %u %u\n", d.control, d.state, d.data[1].high);
    volatile unsigned char narrow = 250;
    narrow += 10;
    printf("%d\n", narrow);
    volatile const char text[] = "volatile";
    printf("%c%c\n", text[0], text[3]);
    int *volatile moving = values;
    moving++;
    printf("%d\n", *moving);
    (void)shared;
    return 0;
}
