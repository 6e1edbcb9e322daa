// K&R definitions, calls without prototypes, implicit int, and default promotions.
#include <stdio.h>

int add(a, b)
int a, b;
{
    return a + b;
}

int narrow(c, s, u)
char c;
short s;
unsigned char u;
{
    return c * 10000 + s + u;
}

double real(f, d)
float f;
double d;
{
    return f * d;
}

char *second(strings)
char **strings;
{
    return strings[1];
}

int sum(array, n)
int array[];
int n;
{
    int total = 0;
    while (n--)
        total += array[n];
    return total;
}

int apply(f, x)
int (*f)();
int x;
{
    return f(x, x);
}

static implicit(x)
{
    return x + 1;
}

int no_prototype();

int main() {
    char *names[] = {"first", "second"};
    int values[] = {1, 2, 3};
    char c = -2;
    short s = 300;
    unsigned char u = 255;
    float f = 1.5f;
    printf("%d\n", add(1, 2));
    printf("%d\n", narrow(c, s, u));
    printf("%d\n", narrow(257, 65537, 256));
    printf("%g\n", real(f, 2.0));
    printf("%s\n", second(names));
    printf("%d\n", sum(values, 3));
    printf("%d\n", apply(add, 21));
    printf("%d\n", implicit(6));
    printf("%d\n", no_prototype(c, s));
    return 0;
}

int no_prototype(a, b)
int a;
int b;
{
    return a - b;
}
