// expect: safe
// strategies: auto, interpolation, bounded
// why: all elements up to the counter are as written

extern void reach_error(void);

#define SIZE 100000

int main(void) {
    int a[SIZE];
    for (int i = 0; i < SIZE; i++)
        a[i] = 7;
    for (int j = 0; j < SIZE; j++)
        if (a[j] != 7)
            reach_error();
    return 0;
}
