// undefined: null pointer at 9:12
struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node last = {0, 0}, first = {1, 0};
    return first.next->value;
}
