int shared;
int array[3];
struct pair {
    int a, b;
} both;
int defined_in_other = 9;

void change(void) {
    shared = 5;
    array[2] = 6;
    both.b = 7;
}
