// expect: finished 0
static int zero = 5;

int main(void) {
    int x = 10;
    return x / zero - 2;
}
