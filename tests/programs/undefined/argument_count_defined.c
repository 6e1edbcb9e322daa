// expect: finished 0
int f();

int main(void) { return f(0, 0); }

int f(a, b)
int a, b;
{
    return a + b;
}
