/* The average of numbers that are read one after the other. A list without numbers is
 * forgotten: `rorqual run examples/average.c --inputs examples/empty.inputs` shows it. */
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define CAPACITY 8

static int values[CAPACITY];

static int read_values(void) {
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > CAPACITY)
        return 0;
    for (int i = 0; i < count; i++)
        values[i] = __VERIFIER_nondet_int();
    return count;
}

static int average(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main(void) {
    int count = read_values();
    printf("%d values, average %d\n", count, average(count));
    return 0;
}
