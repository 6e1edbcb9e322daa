// expect: safe
// strategies: auto, interpolation, bounded
// why: a matrix, row by row

extern void reach_error(void);

int main(void) {
    int m[40][30];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            m[i][j] = 1;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 30; j++)
            if (m[i][j] != 1)
                reach_error();
    return 0;
}
