// expect: unsafe
// why: the pragma gives a function the name of the other

extern void reach_error(void);

int other(void);

int own(void) {
    return 3;
}

#pragma redefine_extname other own

int main(void) {
    if (other() != 4)
        reach_error();
    return 0;
}
