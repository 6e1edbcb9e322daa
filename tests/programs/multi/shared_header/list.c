#include "list.h"
#include <stdlib.h>

// Known only here; other files see an incomplete type.
struct cell {
    int value;
    struct cell *next;
};

struct list registry;
const int limits[4] = {[3] = 40, [0] = 10};

static int before(int a, int b, enum order order) { return order == ASCENDING ? a < b : a > b; }

void list_add(struct list *list, int value, enum order order) {
    struct cell **at = &list->first;
    while (*at && before((*at)->value, value, order)) {
        at = &(*at)->next;
    }
    struct cell *cell = malloc(sizeof *cell);
    *cell = (struct cell){value, *at};
    *at = cell;
    list->length++;
}

int list_visit(const struct list *list, visitor visit, void *context) {
    int total = 0;
    for (const struct cell *cell = list->first; cell; cell = cell->next) {
        total += visit(cell->value, context);
    }
    return total;
}

void list_free(struct list *list) {
    while (list->first) {
        struct cell *next = list->first->next;
        free(list->first);
        list->first = next;
    }
    list->length = 0;
}
