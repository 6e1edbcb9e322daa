// expect: safe
// check: use-after-free
// why: the field is read before

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
  int content = h.box->content;
  free(h.box);
  return content == 4;
}
