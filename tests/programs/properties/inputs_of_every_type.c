// inputs: 1, -5, 250, 65, -30000, 60000, -7, 4000000000, -8, 9, -10, 18446744073709551615, 0.5, 0.25, 3, 100
// expect: finished 0
// inputs: 0, -5, 250, 65, -30000, 60000, -7, 4000000000, -8, 9, -10, 18446744073709551615, 0.5, 0.25, 3, 100
// expect: violation at 26:9
#include <stddef.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern unsigned __VERIFIER_nondet_unsigned(void);
extern void reach_error(void);

static void check(int ok) {
    if (!ok) {
        reach_error();
    }
}

int main(void) {
    check(__VERIFIER_nondet_bool() == 1);
    check(__VERIFIER_nondet_schar() == -5);
    check(__VERIFIER_nondet_uchar() == 250);
    check(__VERIFIER_nondet_char() == 'A');
    check(__VERIFIER_nondet_short() == -30000);
    check(__VERIFIER_nondet_ushort() == 60000);
    check(__VERIFIER_nondet_int() == -7);
    check(__VERIFIER_nondet_uint() == 4000000000u);
    check(__VERIFIER_nondet_long() == -8);
    check(__VERIFIER_nondet_ulong() == 9);
    check(__VERIFIER_nondet_longlong() == -10);
    check(__VERIFIER_nondet_ulonglong() == 18446744073709551615ull);
    check(__VERIFIER_nondet_float() == 0.5f);
    check(__VERIFIER_nondet_double() == 0.25);
    check(__VERIFIER_nondet_size_t() == 3);
    check(__VERIFIER_nondet_unsigned() == 100);
    return 0;
}
