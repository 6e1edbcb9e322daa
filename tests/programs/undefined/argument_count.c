// undefined: takes 2 at 4:25
int f();

int main(void) { return f(1); }

int f(a, b)
int a, b;
{
    return a + b;
}
