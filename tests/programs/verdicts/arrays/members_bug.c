// expect: unsafe
// why: one entry is wrong

extern void reach_error(void);

struct entry {
    int key;
    int value;
};

int main(void) {
    struct entry table[5];
    for (int i = 0; i < 5; i++) {
        table[i].key = i;
        table[i].value = i == 3 ? 3 : i + 1;
    }
    for (int j = 0; j < 5; j++)
        if (table[j].value - table[j].key != 1)
            reach_error();
    return 0;
}
