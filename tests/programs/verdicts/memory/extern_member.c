// expect: safe
// why: a function without body that gets a member writes the member alone

extern void reach_error(void);

struct mutex {
  int count;
  int waiters;
};

struct device {
  struct mutex lock;
  char *buffer;
  unsigned size;
};

extern void mutex_lock(struct mutex *mutex);
extern void mutex_unlock(struct mutex *mutex);

static void resize(struct device *device, unsigned size) {
  mutex_lock(&device->lock);
  device->size = size;
  mutex_unlock(&device->lock);
}

int main(void) {
  struct device device = {0};
  resize(&device, 16);
  if (device.size != 16) {
    reach_error();
  }
  return 0;
}
