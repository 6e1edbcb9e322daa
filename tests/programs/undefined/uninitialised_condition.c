// undefined: never set at 7:9
static int choose(int set) {
    int x;
    if (set) {
        x = 1;
    }
    if (x) {
        return 0;
    }
    return 1;
}

int main(void) { return choose(0); }
