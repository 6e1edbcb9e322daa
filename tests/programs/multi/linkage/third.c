extern int tentative;
static int counter = 50;
int other_next(void) { return counter += 10; }
int function_without_prototype(int a, int b) { return a * 10 + b + tentative; }
