// expect: safe
// strategies: auto, bounded
// why: what the macros of ctype.h look up in the tables of glibc

#include <ctype.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c > 127)
        return 0;
    int is_capital = (*__ctype_b_loc())[c] & (unsigned short)_ISupper;
    if ((is_capital != 0) != (c >= 'A' && c <= 'Z'))
        reach_error();
    if (is_capital && (*__ctype_tolower_loc())[c] != c + 32)
        reach_error();
    return 0;
}
