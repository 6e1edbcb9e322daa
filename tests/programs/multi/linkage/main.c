// External and internal linkage across three files.
#include <stdio.h>

extern int shared;
extern const char *const message;
int tentative;
int next(void);
int other_next(void);
int call_hidden(void);
static int hidden(void) { return 1; }
static int counter = 100;
void bump(int amount);
extern int function_without_prototype();

int main(void) {
    printf("%d %s %d\n", shared, message, tentative);
    bump(5);
    shared += 1;
    printf("%d %d\n", shared, tentative);
    printf("%d %d\n", hidden(), call_hidden());
    next();
    next();
    other_next();
    printf("%d %d %d\n", next(), other_next(), ++counter);
    printf("%d\n", function_without_prototype(3, 4));
    return tentative;
}
