// undefined: `b` is used but was never set at 9:16
int f();

int main(void) { return f(1); }

int f(a, b)
int a, b;
{
    return a + b;
}
