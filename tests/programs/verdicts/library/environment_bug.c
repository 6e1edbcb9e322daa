// expect: unknown
// strategies: auto
// why: `setenv` may move the environment

#include <stdlib.h>

extern char **environ;
extern void reach_error(void);

int main(void) {
    char **before = environ;
    setenv("name", "value", 1);
    if (environ == NULL || environ != before)
        reach_error();
    return 0;
}
