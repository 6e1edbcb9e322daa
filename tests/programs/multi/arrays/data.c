int numbers[] = {1, 2, 3, 4};
const unsigned number_count = sizeof numbers / sizeof *numbers;
char buffer[16] = "buffer";
static int add(int a, int b) { return a + b; }
static int divide(int a, int b) { return a / b; }
int (*const operations[])(int, int) = {add, divide, 0};
const char *names[2] = {"add", "divide"};
struct opaque {
    char tag;
    int value;
};
struct opaque object = {'o', 77};
int read_object(struct opaque *o) { return o->value++; }
int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
int common[4];
int common[4];
