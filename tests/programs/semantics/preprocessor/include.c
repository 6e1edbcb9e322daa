// Including a file several times with different macros, and a guarded header.
#include <stdio.h>
#include "include_guarded.h"
#include "include_guarded.h"

#define ELEMENT int
#define NAME int_pair
#include "include_template.h"

#define ELEMENT double
#define NAME real_pair
#include "include_template.h"

#define HEADER "include_guarded.h"
#include HEADER

static const int table[] = {
#include "include_numbers.h"
};

int main(void) {
    struct int_pair i = int_pair_make(3, 4);
    struct real_pair r = real_pair_make(0.5, 0.25);
    printf("%d %g\n", int_pair_sum(i), real_pair_sum(r));
    printf("%d %d\n", guarded(5), INCLUDED_TIMES);
    int total = 0;
    for (unsigned k = 0; k < sizeof table / sizeof *table; k++) {
        total += table[k];
    }
    printf("%d\n", total);
    return 0;
}
