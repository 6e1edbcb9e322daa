// expect: unsafe
// why: the second copy is reversed

extern void reach_error(void);

int main(void) {
    int from[8], between[8], to[8];
    for (int i = 0; i < 8; i++)
        between[i] = from[i];
    for (int i = 0; i < 8; i++)
        to[i] = between[7 - i];
    for (int j = 0; j < 8; j++)
        if (to[j] != from[j])
            reach_error();
    return 0;
}
