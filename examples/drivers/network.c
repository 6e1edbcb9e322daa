/* The driver of network-bug.c without the bug: the card is reset after its lock was released.
 * rorqual check examples/drivers/network.c --spec specs/lock.spec */
enum { RING = 2, EBUSY = 16, EINVAL = 22 };
enum command { SEND, RESET, COUNT };
struct spinlock { int value; };
struct card { struct spinlock lock; int used; int is_stuck; unsigned long sent; };

extern void spin_lock_irqsave(struct spinlock *lock, unsigned long flags);
extern void spin_unlock_irqrestore(struct spinlock *lock, unsigned long flags);
extern void start_card(void);
extern int card_has_sent(void);
extern int __VERIFIER_nondet_int(void);

static void reset(struct card *card) {
    unsigned long flags = 0;
    spin_lock_irqsave(&card->lock, flags);
    card->used = 0;
    card->is_stuck = 0;
    start_card();
    spin_unlock_irqrestore(&card->lock, flags);
}

static int send(struct card *card) {
    unsigned long flags = 0;
    spin_lock_irqsave(&card->lock, flags);
    if (card->used == RING) {
        card->is_stuck = 1;
        spin_unlock_irqrestore(&card->lock, flags);
        return -EBUSY;
    }
    card->used++;
    spin_unlock_irqrestore(&card->lock, flags);
    return 0;
}

static void interrupt(struct card *card) {
    unsigned long flags = 0;
    spin_lock_irqsave(&card->lock, flags);
    while (card->used > 0 && card_has_sent()) {
        card->used--;
        card->sent++;
    }
    spin_unlock_irqrestore(&card->lock, flags);
}

static int ioctl(struct card *card, int command) {
    unsigned long flags = 0;
    int result = 0, is_stuck = 0;
    if (command == SEND)
        return send(card);
    spin_lock_irqsave(&card->lock, flags);
    if (command == RESET) {
        is_stuck = card->is_stuck;
    } else if (command == COUNT) {
        result = card->used;
    } else {
        result = -EINVAL;
    }
    spin_unlock_irqrestore(&card->lock, flags);
    if (is_stuck)
        reset(card);
    return result;
}

int main(void) {
    static struct card card;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            interrupt(&card);
        else if (__VERIFIER_nondet_int() && card.is_stuck)
            reset(&card);
        else
            ioctl(&card, __VERIFIER_nondet_int());
    }
    return 0;
}
