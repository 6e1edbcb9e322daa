// expect: unsafe
// strategies: auto, bounded
// why: two loops inside of one end where it starts again, and states of one loop must not get into the other

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

/* Runs of bytes that are given, and runs of bytes that were there before. */
static int unpack(const unsigned char *in, unsigned count, unsigned char *out, unsigned room) {
    unsigned at = 0, done = 0;
    while (at < count) {
        unsigned char code = in[at++];
        unsigned length = code % 4 + 1;
        if (code & 0x80) {
            if (at >= count)
                return -1;
            unsigned distance = in[at++] + 1u;
            if (distance > done || length > room - done)
                return -1;
            while (length--) {
                out[done] = out[done - distance];
                done++;
            }
        } else {
            if (length > count - at || length > room - done)
                return -1;
            while (length--)
                out[done++] = in[at++];
        }
    }
    return (int)done;
}

int main(void) {
    unsigned char in[6], out[8] = {0};
    for (int i = 0; i < 6; i++)
        in[i] = __VERIFIER_nondet_uchar();
    int done = unpack(in, 6, out, 8);
    if (done > 7)
        reach_error();
    return 0;
}
