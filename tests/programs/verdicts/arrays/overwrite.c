// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: elements behind the counter are still as the loop before left them

extern void reach_error(void);

int main(void) {
    int a[100000];
    for (int i = 0; i < 100000; i++)
        a[i] = 3;
    for (int i = 0; i < 100000; i++)
        a[i] = a[i] + 1;
    for (int j = 0; j < 100000; j++)
        if (a[j] != 4)
            reach_error();
    return 0;
}
