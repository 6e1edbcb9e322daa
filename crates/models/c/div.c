typedef struct {
  int quot;
  int rem;
} div_t;

div_t div(int number, int divisor) {
  return (div_t){number / divisor, number % divisor};
}
