// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: two members of the structures in an array

extern void reach_error(void);

struct entry {
    int key;
    int value;
};

int main(void) {
    struct entry table[30000];
    for (int i = 0; i < 30000; i++) {
        table[i].key = i;
        table[i].value = i + 1;
    }
    for (int j = 0; j < 30000; j++)
        if (table[j].value - table[j].key != 1)
            reach_error();
    return 0;
}
