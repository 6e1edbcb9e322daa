// memcpy, memmove with overlap, memset, and copies of objects as bytes.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct record {
    int id;
    char name[6];
    double weight;
    struct record *self;
};

int main(void) {
    char text[] = "abcdefghij";
    memmove(text + 2, text, 5);
    printf("%s\n", text);
    strcpy(text, "abcdefghij");
    memmove(text, text + 3, 5);
    printf("%s\n", text);
    memmove(text + 1, text + 1, 3);
    printf("%s\n", text);
    memcpy(text, "12", 2);
    printf("%s\n", text);
    memset(text + 4, '-', 3);
    printf("%s\n", text);
    printf("%d\n", memset(text, 0, 0) == text);

    int numbers[4];
    memset(numbers, 0xff, sizeof numbers);
    memset(numbers, 1, sizeof(int));
    printf("%d %d\n", numbers[0], numbers[3]);

    struct record a = {7, "seven", 7.5, &a}, b;
    memcpy(&b, &a, sizeof b);
    printf("%d %s %g %d\n", b.id, b.name, b.weight, b.self == &a);
    struct record array[2];
    memcpy(array, &a, sizeof a);
    memcpy(&array[1], array, sizeof *array);
    array[1].self->id = 8;
    printf("%d %d %d\n", array[0].id, array[1].id, a.id);

    // A pointer survives being copied byte by byte.
    int target = 5, *p = &target, *q;
    unsigned char raw[sizeof p];
    for (unsigned i = 0; i < sizeof p; i++) {
        raw[i] = ((unsigned char *)&p)[i];
    }
    for (unsigned i = 0; i < sizeof p; i++) {
        ((unsigned char *)&q)[i] = raw[i];
    }
    *q = 6;
    printf("%d\n", target);
    uintptr_t as_integer = (uintptr_t)p;
    *(int *)as_integer = 9;
    printf("%d %d\n", target, (int *)(as_integer + sizeof(int)) == p + 1);
    // Objects seen through other widths.
    unsigned long long wide = 0x1122334455667788ULL;
    unsigned char *bytes = (unsigned char *)&wide;
    printf("%x %x\n", bytes[0], bytes[7]);
    unsigned short middle;
    memcpy(&middle, bytes + 3, sizeof middle);
    printf("%x\n", middle);
    float f = 2.0f;
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    printf("%x\n", bits);
    char grid[3][4] = {"abc", "def", "ghi"};
    memcpy(grid[1], grid[2], sizeof grid[1]);
    printf("%s %s\n", grid[0], grid[1]);
    return 0;
}
