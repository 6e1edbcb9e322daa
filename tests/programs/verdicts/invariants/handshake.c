// expect: safe
// strategies: auto, interpolation, summaries; bounded = unknown
// why: which step of the protocol comes next depends on three flags, and the key is used only after it was checked

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { IDLE = 10, GREET = 21, ASK = 32, WAIT = 43, KEY = 54, CHECK = 65, READY = 76, REKEY = 87, CLOSE = 98 };

struct session {
    int state, after, checked, resumed;
    unsigned rounds, keys;
};

int main(void) {
    struct session s = {IDLE, IDLE, 0, 0, 0, 0};
    while (s.state != CLOSE) {
        s.rounds++;
        switch (s.state) {
        case IDLE:
            s.checked = 0;
            s.resumed = __VERIFIER_nondet_int() != 0;
            s.state = GREET;
            break;
        case GREET:
            s.after = s.resumed ? READY : ASK;
            if (s.resumed)
                s.checked = 2;
            s.state = WAIT;
            break;
        case ASK:
            s.after = KEY;
            s.state = WAIT;
            break;
        case WAIT:
            if (__VERIFIER_nondet_int())
                s.state = s.after;
            break;
        case KEY:
            s.keys++;
            s.checked = 0;
            s.state = CHECK;
            break;
        case CHECK:
            s.checked = 1;
            s.after = READY;
            s.state = __VERIFIER_nondet_int() ? WAIT : READY;
            break;
        case READY:
            if (s.checked == 0)
                reach_error();
            s.state = __VERIFIER_nondet_int() ? REKEY : CLOSE;
            break;
        case REKEY:
            s.checked = 0;
            s.resumed = 0;
            s.after = KEY;
            s.state = __VERIFIER_nondet_int() ? WAIT : KEY;
            break;
        default:
            reach_error();
        }
    }
    return 0;
}
