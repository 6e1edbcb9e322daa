typedef struct {
  long long quot;
  long long rem;
} lldiv_t;

lldiv_t lldiv(long long number, long long divisor) {
  return (lldiv_t){number / divisor, number % divisor};
}
