#ifndef LIST_H
#define LIST_H

struct list {
    struct cell *first;
    int length;
};

enum order { ASCENDING, DESCENDING };
typedef int (*visitor)(int value, void *context);

void list_add(struct list *list, int value, enum order order);
int list_visit(const struct list *list, visitor visit, void *context);
void list_free(struct list *list);
static inline int list_is_empty(const struct list *list) { return list->length == 0; }

extern struct list registry;
extern const int limits[4];
#endif
