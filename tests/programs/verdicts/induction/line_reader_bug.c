// expect: unsafe
// strategies: auto
// why: the last byte of the buffer may be used too

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static char line[8];
static char *next = line;
static enum { READING, SKIPPING } state = READING;

static int feed(char c) {
    int ended = 0;
    switch (state) {
    case READING:
        if (c == '\n') {
            *next = 0;
            ended = 1;
            next = line;
        } else if (next == line + 7) {
            state = SKIPPING;
        } else {
            *next++ = c;
        }
        break;
    case SKIPPING:
        if (c == '\n') {
            state = READING;
            next = line;
        }
        break;
    }
    return ended;
}

int main(void) {
    for (;;) {
        int ended = feed(__VERIFIER_nondet_char());
        if (ended && next != line)
            reach_error();
        if (next < line || next > line + 6)
            reach_error();
    }
}
