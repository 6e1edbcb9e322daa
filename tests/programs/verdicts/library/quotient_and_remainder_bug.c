// expect: unsafe
// why: the remainder has the sign of the dividend

typedef struct {
  long quot;
  long rem;
} ldiv_t;

extern ldiv_t ldiv(long, long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -9 || n > 9) {
    return 0;
  }
  ldiv_t result = ldiv(n, 4);
  if (result.quot * 4 + result.rem != n || result.rem > 3 || result.rem < 0) {
    reach_error();
  }
  return 0;
}
