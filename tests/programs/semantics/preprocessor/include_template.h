#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
struct NAME {
    ELEMENT first, second;
};
static struct NAME JOIN(NAME, _make)(ELEMENT a, ELEMENT b) { return (struct NAME){a, b}; }
static ELEMENT JOIN(NAME, _sum)(struct NAME p) { return p.first + p.second; }
#undef JOIN
#undef JOIN_
#undef ELEMENT
#undef NAME
