/* Binary search. The index that it returns is meant to be inside the table; for a key that is
 * larger than all entries it is not. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static const int table[5] = { 2, 3, 5, 7, 11 };

static int search(int key) {
    int low = 0, high = 5;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(void) {
    int found = search(__VERIFIER_nondet_int());
    if (found >= 5)
        reach_error();
    return 0;
}
