// Functions that are called before they are declared, and turn out to return nothing: gcc warns.
#include <stdio.h>

static int total;

static int first(void) {
    add(1, 2);
    report();
    return 0;
}

int main(void) {
    first();
    add(3, 4);
    report();
    return counted() + total;
}

void add(int a, int b) {
    total += a * b;
}

void report(void) {
    printf("%d\n", total);
}

int counted() {
    return 1;
}
