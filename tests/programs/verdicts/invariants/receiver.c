// expect: safe
// strategies: auto
// why: the state of a protocol says how full its buffer is, whatever the buffer holds

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum state { IDLE, HEADER, LENGTH, DATA, SUM };

struct receiver {
    enum state state;
    unsigned char length, filled, buffer[8];
    unsigned char sum;
};

static void receive(struct receiver *r, unsigned char byte) {
    switch (r->state) {
    case IDLE:
        if (byte == 0xaa)
            r->state = HEADER;
        break;
    case HEADER:
        r->state = byte == 0x55 ? LENGTH : IDLE;
        break;
    case LENGTH:
        if (byte == 0 || byte > 8) {
            r->state = IDLE;
            break;
        }
        r->length = byte;
        r->filled = 0;
        r->state = DATA;
        break;
    case DATA:
        if (r->filled >= 8)
            reach_error();
        r->buffer[r->filled++] = byte;
        if (r->filled == r->length)
            r->state = SUM;
        break;
    case SUM:
        r->sum = r->buffer[0];
        r->state = IDLE;
        break;
    }
}

int main(void) {
    struct receiver r = {0};
    for (;;)
        receive(&r, __VERIFIER_nondet_uchar());
}
