// expect: unsafe
// why: the last element is not written

extern void reach_error(void);

#define SIZE 9

int main(void) {
    int a[SIZE];
    for (int i = 0; i < SIZE - 1; i++)
        a[i] = 7;
    for (int j = 0; j < SIZE; j++)
        if (a[j] != 7)
            reach_error();
    return 0;
}
