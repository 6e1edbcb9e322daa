// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: two copies in a row give equal arrays

extern void reach_error(void);

int main(void) {
    int from[100000], between[100000], to[100000];
    for (int i = 0; i < 100000; i++)
        between[i] = from[i];
    for (int i = 0; i < 100000; i++)
        to[i] = between[i];
    for (int j = 0; j < 100000; j++)
        if (to[j] != from[j])
            reach_error();
    return 0;
}
