int shared = 7;
const char *const message = "from second";
extern int tentative;
static int counter = 0;
static int hidden(void) { return 2; }

int next(void) { return ++counter; }
int call_hidden(void) { return hidden(); }

void bump(int amount) {
    extern int tentative;
    tentative += amount;
    shared *= 2;
}
