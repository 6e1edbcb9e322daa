// rorqual check specs/examples/file.c --spec specs/file.spec
#include <stdio.h>

int main(void) {
    FILE *log = fopen("log", "w");
    if (!log)
        return 1;
    fputc('x', log);
    fclose(log);
    return 0;
}
