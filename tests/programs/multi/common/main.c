// gcc: -fcommon
// Tentative definitions of one variable in two files are one variable, as before gcc 10.
#include <stdio.h>

int shared;
int array[];
struct pair {
    int a, b;
} both;
int defined_in_other;
void change(void);

int main(void) {
    printf("%d %d\n", shared, both.b);
    change();
    printf("%d %d %d %d\n", shared, array[2], both.b, defined_in_other);
    return 0;
}
