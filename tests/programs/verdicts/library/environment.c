// expect: safe
// strategies: auto
// why: there is an environment when a program starts, and nothing changes it

#include <stddef.h>

extern char **environ;
extern void reach_error(void);

int main(void) {
    char **before = environ;
    if (environ == NULL || environ != before)
        reach_error();
    return 0;
}
