// expect: unsafe
// why: the array has another element

extern void reach_error(void);

typedef char item;

int main(void) {
    int (item) = 300;
    if (item != 300)
        reach_error();
    for (int (item)[2] = {0, 6}; item[0] < 3; item[0]++)
        if (item[1] != 5)
            reach_error();
    return 0;
}
