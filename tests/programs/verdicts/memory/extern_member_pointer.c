// expect: unknown
// why: a function without body that gets a member with pointers may write what these point to, and store pointers to it

extern void reach_error(void);

struct list {
  struct list *next;
};

struct device {
  struct list queue;
  char *buffer;
};

extern void init(struct list *list);

int main(void) {
  struct device device = {0};
  init(&device.queue);
  if (device.queue.next == &device.queue) {
    reach_error();
  }
  return 0;
}
