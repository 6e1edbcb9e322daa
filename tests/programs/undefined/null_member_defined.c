// expect: finished 0
struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node last = {0, 0}, first = {1, &last};
    return first.next->value;
}
