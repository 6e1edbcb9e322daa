typedef struct {
  long quot;
  long rem;
} ldiv_t;

ldiv_t ldiv(long number, long divisor) {
  return (ldiv_t){number / divisor, number % divisor};
}
