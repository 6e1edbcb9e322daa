// expect: safe
// why: a name in parentheses is declared, although it names a type outside

extern void reach_error(void);

typedef char item;

int main(void) {
    int (item) = 300;
    if (item != 300)
        reach_error();
    for (int (item)[2] = {0, 5}; item[0] < 3; item[0]++)
        if (item[1] != 5)
            reach_error();
    return 0;
}
