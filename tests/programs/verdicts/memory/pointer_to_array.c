// expect: safe
// why: a pointer to an array moves by rows

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int m[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    int (*row)[2] = m;
    row++;
    check((*row)[1] == 4);
    row[1][0] = 9;
    check(m[2][0] == 9);
    return 0;
}
