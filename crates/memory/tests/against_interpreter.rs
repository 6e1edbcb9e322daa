//! What pointers point to when programs run must be what the analysis says that they may point to.

use std::path::Path;

use rorqual_cfa::{DataModel, PlaceKind, Program};
use rorqual_frontend::TranslationUnit;
use rorqual_interpreter::{Companions, Config, Origin, Pointing, Recording, Transcript, run_with};
use rorqual_memory::{Memory, Object, Offset, Targets, fold};
use rorqual_testkit::csmith::{self, Recipe, Size};
use rorqual_testkit::{SystemHost, c_files, program_for, programs_directory, read, skip};

/// Longer runs tell nothing new.
const STEPS: u64 = 200_000;

/// Runs a program; every pointer must have been foreseen. Gives how many ways there were.
fn check(program: &Program, what: &str) -> usize {
    let config = Config { step_limit: Some(STEPS), ..Config::default() };
    let (mut console, mut recording) = (Transcript::default(), Recording::default());
    let companions = Companions { recording: Some(&mut recording), ..Companions::default() };
    run_with(program, &config, &mut console, companions);
    let memory = Memory::analyse(program);
    for pointing in recording.pointings() {
        let PlaceKind::Deref(pointer) = program.places[pointing.place].kind else { continue };
        let targets = memory.targets(program, pointer);
        assert!(
            pointing.offset == 0 || !memory.is_start(program, pointer),
            "{what}: {pointing:?} is not at the start of an object, at {}",
            program.sources.position(program.place_spans[pointing.place])
        );
        assert!(
            is_foreseen(program, &memory, &targets, pointing),
            "{what}: {pointing:?} is not among {targets:?}, at {}",
            program.sources.position(program.place_spans[pointing.place])
        );
    }
    recording.pointings().len()
}

fn is_foreseen(program: &Program, memory: &Memory, targets: &Targets, pointing: &Pointing) -> bool {
    let of = |wanted: Object| targets.places.iter().filter(move |(object, _)| *object == wanted);
    let typed = |object, ty| {
        let offset = fold(&program.types, ty, pointing.offset);
        // Only addresses that can be accessed are foreseen to the byte.
        let is_outside = pointing.offset >= pointing.size;
        of(object).any(|(_, known)| is_outside || *known == Offset::Any || *known == Offset::At(offset))
    };
    targets.unknown
        || match pointing.origin {
            Origin::Variable(variable) => typed(Object::Variable(variable), program.variables[variable].ty),
            Origin::Text(text) => typed(Object::Text(text), program.strings[text].ty),
            Origin::Edge(function, edge) => [Object::Heap(function, edge), Object::Stack(function, edge)]
                .into_iter()
                .any(|object| of(object).next().is_some() && is_in_class(program, memory, object, pointing)),
            Origin::Runtime => false,
        }
}

/// Whether a pointer to an allocated object points to the part of the elements of its class that is foreseen.
fn is_in_class(program: &Program, memory: &Memory, object: Object, pointing: &Pointing) -> bool {
    let PlaceKind::Deref(pointer) = program.places[pointing.place].kind else { return true };
    let Some((class, at)) = memory.allocated(program, pointer) else { return false };
    if memory.class_of(object) != Some(class) {
        return false;
    }
    let (Some(element), Some(at)) = (memory.class(class).element, at) else { return true };
    let size = program.types.size_of(element).unwrap_or(1);
    fold(&program.types, element, pointing.offset % size) == at
}

fn check_text(text: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let found = check(&program_for(model, text), text);
        assert!(found > 0, "pointers are used\n{text}");
    }
}

const HEAD: &str = "typedef __SIZE_TYPE__ size_t; void *malloc(size_t); void *calloc(size_t, size_t);
void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t); char *strchr(const char *, int); char *strdup(const char *);
long strtol(const char *, char **, int); char *strcpy(char *, const char *); int posix_memalign(void **, size_t, size_t);
void *memchr(const void *, int, size_t);
struct list { struct list *next, *prev; }; struct item { int data; struct list link; int *where; char name[8]; };
union u { int *arr[2]; struct { int *a, *b; } s; short h[8]; };
#define container_of(p, t, m) ((t *)((char *)(p) - __builtin_offsetof(t, m)))\n";

const BODIES: &[&str] = &[
    "int x, y; int *p = &x; *p = 1; p = &y; *p = 2; int **pp = &p; **pp = 3; return **pp;",
    "int a[5]; int *p = a; for (int i = 0; i < 5; i++) p[i] = i; p = a + 5; while (p > a) *--p = 1;",
    "struct item it; struct list *l = &it.link; struct item *i = container_of(l, struct item, link); i->data = 3;",
    "struct item its[3]; for (int k = 0; k < 3; k++) { struct list *l = &its[k].link;
       container_of(l, struct item, link)->data = 3; l->next = l; l->next->prev = l; }",
    "struct list *head = 0; for (int k = 0; k < 4; k++) { struct item *i = malloc(sizeof *i); i->link.next = head;
       head = &i->link; i->data = k; i->where = &i->data; *i->where = 4; i->name[k] = 1; }
     while (head) { struct item *i = container_of(head, struct item, link); head = head->next; free(i); }",
    "union u v; int x, y; v.arr[1] = &x; *v.s.b = 3; v.s.a = &y; *v.arr[0] = 4; for (int i = 0; i < 2; i++) *v.arr[i] = 1;",
    "union u *v = malloc(sizeof *v); int x, y; v->arr[1] = &x; *v->s.b = 3; int **q = &v->arr[0]; *q = &y; *v->s.a = 1;",
    "union u v; int x, y; int **q = v.arr; q[1] = &x; *v.s.b = 3; int i = 0; q[i] = &y; *v.s.a = 2;",
    "union u *v = malloc(2 * sizeof *v); short *h = v->h; h[1] = 3; h[9] = 4; v[1].h[1] = 5;",
    "int x; int *t[4]; *(int **)((char *)t + sizeof(int *)) = &x; int i = 1; *t[i] = 3;",
    "int x; int **t = malloc(4 * sizeof *t); *(int **)((char *)t + sizeof(int *)) = &x; int i = 1; *t[i] = 3;",
    "int x; struct { int *a, *b; } s; int *t[2] = {0, &x}; memcpy(&s, t, sizeof s); *s.b = 2;",
    "int x; struct p { int *a, *b; } s = {0, &x}; int **t = malloc(sizeof s); memcpy(t, &s, sizeof s); *t[1] = 2;",
    "int x; int *p = &x, *q; for (size_t i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i]; *q = 3;",
    "int x; int *p = &x; unsigned long n = (unsigned long)p; n ^= 5; n = n ^ 5; *(int *)n = 3;",
    "char b[8]; char *p = strcpy(b, \"a=b\"); p = strchr(b, '='); *p = 0; p = strchr(p + 1, 'b'); *p = 1;",
    "struct item *i = malloc(sizeof *i); strcpy(i->name, \"a=b\"); char *p = strchr(i->name, '='); *p = 2; p[1] = 2;
       i->data = 0; p = memchr(i, 0, sizeof *i); *p = 3;",
    "char *end; char *s = \"12x\"; long n = strtol(s, &end, 10); n += *end; s = strdup(s); s[0] = *s + 1;",
    "void *p; posix_memalign(&p, 16, 16); *(int *)p = 3;",
    "int *p = malloc(4); *p = 1; int **h = malloc(sizeof *h); *h = p; h = realloc(h, 4 * sizeof *h); **h = 2;",
    "struct item a, b; a.where = &a.data; b = a; *b.where = 2; struct item *p = malloc(sizeof *p); *p = b; *p->where = 3;",
    "int n = 3; int a[n][2]; int (*r)[2] = a; r[1][1] = 3; int *p = r[2]; p[1] = 4; *(int *)((char *)a + 4) = 1;",
    "struct item *i = calloc(2, sizeof *i); for (size_t k = 0; k < sizeof *i / 4; k++) ((int *)i)[k] = 1; i[1].data = 2;",
    "int x = 1; int *p = &x + 1; p--; *p = 2; p = (int *)((char *)&x + 2); p = (int *)((char *)p - 2); *p = 4;",
    "static char m[6][4]; char *p = &m[0][0]; for (int i = 0; i < 24; i++) p[i] = 1; p = m[2]; p[1] = 3; p[5] = 3;",
    "int x; char *p = (char *)&x; for (int i = 0; i < 4; i++) { *p = 1; p += 1; } p = malloc(20); *p = 1; p += 1; *p++ = 2;
       struct item *i = malloc(sizeof *i), *j = i; p = (char *)i; for (int k = 0; k < 20; k++) *p++ = 1; j->data = 1;",
    "const char *t[] = {\"a\", \"bc\"}; int s = 0; for (int i = 0; i < 2; i++) for (const char *p = t[i]; *p; p++) s += *p;",
];

#[test]
fn pointers_of_small_programs_are_foreseen() {
    for body in BODIES {
        check_text(&format!("{HEAD}int main(void) {{ {body} return 0; }}"));
    }
}

#[test]
fn pointers_through_functions_are_foreseen() {
    check_text(&format!(
        "{HEAD} typedef void (*f)(int *, int); struct ops {{ f set; f add; }};
         static void set(int *p, int v) {{ *p = v; }} static void add(int *p, int v) {{ *p += v; }}
         static struct ops o = {{ set, add }}; struct ops *get(void) {{ return &o; }}
         static int *pick(int *a, int *b, int k) {{ return k ? a : b; }}
         struct item make(int *w) {{ struct item i; i.where = w; return i; }}
         int main(void) {{ int x, y; struct ops *p = get(); p->set(&x, 1); (p->add)(&y, 2); *pick(&x, &y, 1) = 3;
           *make(&x).where = 4; f fs[2] = {{ set, add }}; fs[1](&x, 3); return 0; }}"
    ));
    check_text(
        "#include <stdarg.h>
         static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) { int *p = va_arg(l, int *);
           s += *p; *p = 1; } va_end(l); return s; }
         static int call(int n, ...) { va_list l; va_start(l, n); int (*f)(int *) = va_arg(l, int (*)(int *));
           int *p = va_arg(l, int *); va_end(l); return f(p); }
         static void put(int n, ...) { va_list l; va_start(l, n); int **p = va_arg(l, int **);
           *p = va_arg(l, int *); va_end(l); }
         static int one(int *p) { return *p = 1; }
         int main(int argc, char **argv) { int x = 1, y = 2; int *q = 0; put(2, &q, &x); *q = 3; argv[0][0] = 'a';
           return sum(2, &x, &y) + call(2, one, &y); }",
    );
    check_text(
        "int *__errno_location(void); extern const unsigned short **__ctype_b_loc(void); char *strtok(char *, const char *);
         int main(void) { *__errno_location() = 3; char b[] = \"a b\"; char *p = strtok(b, \" \"); p = strtok(0, \" \");
         *p = 1; return (*__ctype_b_loc())['a']; }",
    );
}

/// Reads a program from a file; none if it needs other files or is refused.
fn read_file(file: &Path, headers: Option<&Path>) -> Option<Program> {
    let include_directories = headers.into_iter().map(Path::to_owned).collect();
    let unit = TranslationUnit { include_directories, ..TranslationUnit::new(file) };
    read(&[unit], DataModel::Lp64, &SystemHost).ok()
}

#[test]
fn pointers_of_the_test_programs_are_foreseen() {
    let mut found = 0;
    for topic in ["semantics", "undefined", "properties", "verdicts"] {
        for path in c_files(&programs_directory(topic)) {
            if let Some(program) = read_file(&path, None) {
                found += check(&program, &path.to_string_lossy());
            }
        }
    }
    assert!(found > 500, "only {found} ways");
}

#[test]
fn pointers_of_random_programs_are_foreseen() {
    let headers = match csmith::find() {
        Ok(headers) => headers,
        Err(reason) => return skip("the pointers of csmith's programs", reason),
    };
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("random.c");
    let mut found = 0;
    for seed in 1..40 {
        let recipe = Recipe { seed, size: Size::Small, model: DataModel::Lp64 };
        if recipe.generate(&file).is_ok()
            && let Some(program) = read_file(&file, Some(&headers))
        {
            found += check(&program, &format!("seed {seed}"));
        }
    }
    assert!(found > 200, "only {found} ways");
}
