// malloc, calloc, realloc and free: lists, trees, hash tables, growing arrays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

struct tree {
    int key;
    struct tree *left, *right;
};

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    return n;
}

static struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static void remove_odd(struct node **list) {
    while (*list) {
        if ((*list)->value % 2) {
            struct node *dead = *list;
            *list = dead->next;
            free(dead);
        } else {
            list = &(*list)->next;
        }
    }
}

static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static int walk(const struct tree *t, int depth) {
    if (!t) {
        return depth;
    }
    int left = walk(t->left, depth + 1);
    printf("%d ", t->key);
    int right = walk(t->right, depth + 1);
    return left > right ? left : right;
}

static void destroy(struct tree *t) {
    if (t) {
        destroy(t->left);
        destroy(t->right);
        free(t);
    }
}

struct vector {
    int *items;
    size_t length, capacity;
};

static void append(struct vector *v, int item) {
    if (v->length == v->capacity) {
        v->capacity = v->capacity ? v->capacity * 2 : 1;
        v->items = realloc(v->items, v->capacity * sizeof *v->items);
    }
    v->items[v->length++] = item;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 8; i++) {
        list = push(list, i * i);
    }
    list = reverse(list);
    remove_odd(&list);
    while (list) {
        printf("%d ", list->value);
        struct node *next = list->next;
        free(list);
        list = next;
    }
    printf("\n");
    struct tree *t = NULL;
    unsigned seed = 7;
    for (int i = 0; i < 20; i++) {
        seed = seed * 1103515245 + 12345;
        t = insert(t, seed >> 16 & 0xff);
    }
    printf("depth %d\n", walk(t, 0));
    destroy(t);
    struct vector v = {0};
    for (int i = 0; i < 33; i++) {
        append(&v, i * 3);
    }
    printf("%d %d %d\n", (int)v.length, (int)v.capacity, v.items[32]);
    v.items = realloc(v.items, 2 * sizeof(int));
    printf("%d %d\n", v.items[0], v.items[1]);
    free(v.items);
    free(NULL);
    int *zeroed = calloc(5, sizeof(int));
    printf("%d %d\n", zeroed[0], zeroed[4]);
    free(zeroed);
    int **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = malloc((i + 1) * sizeof **rows);
        for (int j = 0; j <= i; j++) {
            rows[i][j] = i * 10 + j;
        }
    }
    printf("%d %d\n", rows[2][2], rows[1][0]);
    for (int i = 0; i < 3; i++) {
        free(rows[i]);
    }
    free(rows);
    struct flexible {
        int n;
        char text[];
    } *f = malloc(sizeof *f + 6);
    f->n = 5;
    strcpy(f->text, "hello");
    printf("%d %s\n", f->n, f->text);
    free(f);
    return 0;
}
