// expect: safe
// why: a variable that is defined nowhere has any value, and keeps it

extern int c;
extern void reach_error(void);

int main(void) {
    int before = c;
    if (before != c)
        reach_error();
    return 0;
}
