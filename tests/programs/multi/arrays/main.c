// Arrays whose size only the defining file knows; tables of functions from another file.
#include <stdio.h>

extern int numbers[];
extern const unsigned number_count;
extern char buffer[];
extern int (*const operations[])(int, int);
extern const char *names[];
extern struct opaque object;
int read_object(struct opaque *o);
extern int matrix[][3];
extern int common[4];

int main(void) {
    int total = 0;
    for (unsigned i = 0; i < number_count; i++) {
        total = total * 10 + numbers[i];
    }
    printf("%d\n", total);
    buffer[0] = 'B';
    printf("%s\n", buffer);
    for (int i = 0; operations[i]; i++) {
        printf("%s %d\n", names[i], operations[i](12, 4));
    }
    printf("%d\n", read_object(&object));
    printf("%d %d\n", matrix[1][2], (int)sizeof matrix[0]);
    printf("%d\n", common[3]);
    return 0;
}
