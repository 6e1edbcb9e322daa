// expect: unsafe
// check: use-after-free
// why: the field is read after

extern void *malloc(unsigned long);
extern void free(void *);

struct box {
  int content;
};
struct holder {
  struct box *box;
};
int main(void) {
  struct holder h;
  h.box = malloc(sizeof *h.box);
  h.box->content = 3;
  free(h.box);
  int content = h.box->content;
  return content == 4;
}
