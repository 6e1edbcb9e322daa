// expect: unsafe
// why: only the first row is as expected

extern void reach_error(void);

int main(void) {
    int m[3][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] = i + 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            if (m[i][j] != 1)
                reach_error();
    return 0;
}
