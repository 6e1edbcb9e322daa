//! What calls and loops may write.

use rorqual_cfa::{FunctionId, Program};
use rorqual_memory::{Effects, Memory, Object, Writes};
use rorqual_testkit::program;

/// The names of the variables that a call of `f` may write, and what else it may do.
fn writes(text: &str) -> (Vec<String>, Writes) {
    let program = program(text);
    let memory = Memory::analyse(&program);
    let writes = Effects::of(&program, &memory).of_call(&program, named(&program, "f"));
    let variables = writes.objects.iter().filter_map(|object| match object {
        Object::Variable(variable) => Some(program.variables[*variable].name.clone()),
        _ => None,
    });
    (variables.collect(), writes)
}

fn named(program: &Program, name: &str) -> FunctionId {
    program.function_named(name).expect("the program has the function")
}

/// A call of `f` may write exactly these variables, and no other memory.
#[track_caller]
fn writes_only(text: &str, names: &[&str]) {
    let (found, writes) = writes(text);
    assert_eq!(found, names, "{text}");
    assert!(!writes.anything && !writes.allocates, "{text}");
}

#[test]
fn variables_of_the_callee_do_not_count() {
    writes_only(
        "int g, h; int f(int p) { int x = p; p = 2; g = x; return p; } int main(void) { return f(h); }",
        &["g"],
    );
    writes_only(
        "int f(int n) { static int calls; calls++; return n ? f(n - 1) : 0; } int main(void) { return f(2); }",
        &["calls"],
    );
}

#[test]
fn what_is_written_through_pointers_counts() {
    let text =
        "int g; void f(int *p) { *p = 1; } int main(void) { int x, y, *q = &y; f(&x); f(&g); return *q; }";
    writes_only(text, &["g", "x"]);
    let text = "struct s { int a, b[3]; } s; void f(struct s *p, int i) { p->b[i] = 1; } int main(void) { f(&s, 1); return 0; }";
    writes_only(text, &["s"]);
}

#[test]
fn what_is_called_counts() {
    let text =
        "int a, b, c; void k(void) { c = 1; } void g(void) { b = 1; k(); } void f(void) { a = 1; g(); }
        int main(void) { f(); return 0; }";
    writes_only(text, &["a", "b", "c"]);
    let text = "int a, b, c; void one(void) { a = 1; } void two(void) { b = 1; } void three(void) { c = 1; }
        void f(int n) { void (*p)(void) = n ? one : two; p(); } int main(void) { f(1); three(); return 0; }";
    writes_only(text, &["a", "b"]);
    let text =
        "int a, b; void g(int n); void f(int n) { a = n; if (n) g(n - 1); } void g(int n) { b = n; f(n); }
        int main(void) { f(3); return 0; }";
    writes_only(text, &["a", "b"]);
}

#[test]
fn the_library_counts() {
    let head = "void *malloc(unsigned long); void *memset(void *, int, unsigned long); void free(void *);";
    let (_, found) = writes(&format!(
        "{head} void f(void) {{ int *p = malloc(4); *p = 1; }} int main(void) {{ f(); return 0; }}"
    ));
    assert!(found.allocates && !found.anything);
    assert!(found.objects.iter().any(|object| matches!(object, Object::Heap(..))));
    let text = format!(
        "{head} int a[4], b[4]; void f(void) {{ memset(a, 1, 7); }} int main(void) {{ f(); return b[0]; }}"
    );
    writes_only(&text, &["a"]);
}

#[test]
fn recursion_is_seen() {
    let program = program(
        "int odd(int n); int even(int n) { return n ? odd(n - 1) : 1; } int odd(int n) { return n ? even(n - 1) : 0; }
         int once(int n) { return even(n); } int main(void) { return once(4); }",
    );
    let memory = Memory::analyse(&program);
    let effects = Effects::of(&program, &memory);
    let is_recursive = |name| effects.is_recursive(named(&program, name));
    assert!(is_recursive("odd") && is_recursive("even") && !is_recursive("once") && !is_recursive("main"));
    let callers: Vec<FunctionId> = effects.callers(named(&program, "odd")).collect();
    assert!(callers.contains(&named(&program, "main")) && callers.contains(&named(&program, "even")));
}

#[test]
fn a_loop_writes_what_its_edges_write() {
    let program = program(
        "int g, h; void step(void) { h++; } int main(void) { int i = 0, x = 0; while (i < 3) { i++; step(); } x = i; g = x; return 0; }",
    );
    let memory = Memory::analyse(&program);
    let main = named(&program, "main");
    let body = program.functions[main].body.as_ref().expect("it has a body");
    let head = body.locations().iter().find(|(_, location)| !location.loop_statements.is_empty());
    let head = head.expect("there is a loop").0;
    // All edges from which control comes back to the head.
    let comes_back = |from| {
        let (mut open, mut seen) = (vec![from], vec![]);
        while let Some(at) = open.pop() {
            if at == head {
                return true;
            }
            if !seen.contains(&at) {
                seen.push(at);
                open.extend(body.outgoing(at).map(|edge| body.edges()[edge].target));
            }
        }
        false
    };
    let inside =
        body.edges().iter().filter(|(_, edge)| edge.source != body.entry() && comes_back(edge.target));
    let edges: Vec<_> = inside.filter(|(_, edge)| edge.source.ge(&head)).map(|(id, _)| id).collect();
    let writes = Effects::of(&program, &memory).of_edges(&program, &memory, main, edges);
    let names: Vec<&str> = writes
        .objects
        .iter()
        .filter_map(|object| match object {
            Object::Variable(variable) => Some(program.variables[*variable].name.as_str()),
            _ => None,
        })
        .filter(|name| !name.is_empty())
        .collect();
    assert!(
        names.contains(&"h") && names.contains(&"i") && !names.contains(&"g") && !names.contains(&"x"),
        "{names:?}"
    );
}
