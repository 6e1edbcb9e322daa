// expect: unsafe
// why: a function without body that gets a member may write the member

extern void reach_error(void);

struct device {
  unsigned status;
  char *buffer;
  unsigned size;
};

extern void read_status(unsigned *status);

static void poll(struct device *device, unsigned size) {
  read_status(&device->status);
  device->size = size;
}

int main(void) {
  struct device device = {0};
  poll(&device, 16);
  if (device.status != 0 || device.size != 16) {
    reach_error();
  }
  return 0;
}
