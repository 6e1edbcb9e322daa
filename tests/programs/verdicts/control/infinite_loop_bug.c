// expect: unsafe
// why: the loop ends

extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 3; i++)
        ;
    reach_error();
    return 0;
}
