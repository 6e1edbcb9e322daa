// One header with types, inline functions and declarations in two files.
#include "list.h"
#include <stdio.h>

// The same tag as in list.c names another type here.
struct cell_view {
    int seen;
};

static int show(int value, void *context) {
    struct cell_view *view = context;
    view->seen++;
    printf("%d ", value);
    return value;
}

int main(void) {
    struct cell_view view = {0};
    printf("%d\n", list_is_empty(&registry));
    int values[] = {5, 3, 9, 1, 7};
    struct list down = {0};
    for (int i = 0; i < 5; i++) {
        list_add(&registry, values[i], ASCENDING);
        list_add(&down, values[i] * limits[0], DESCENDING);
    }
    printf("= %d\n", list_visit(&registry, show, &view));
    printf("= %d\n", list_visit(&down, show, &view));
    printf("%d %d %d %d\n", view.seen, registry.length, limits[3], limits[1]);
    list_free(&registry);
    list_free(&down);
    printf("%d\n", list_is_empty(&registry));
    return 0;
}
