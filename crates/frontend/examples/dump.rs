//! Prints the automata of a file (development aid).
use rorqual_frontend::*;
use std::path::*;
struct Os;
impl Host for Os {
    fn read(&self, p: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(p)
    }
    fn system_include_directories(&self, _: rorqual_cfa::DataModel) -> Vec<PathBuf> {
        [
            "/usr/lib/gcc/x86_64-linux-gnu/12/include",
            "/usr/local/include",
            "/usr/include/x86_64-linux-gnu",
            "/usr/include",
        ]
        .iter()
        .map(PathBuf::from)
        .collect()
    }
}
fn main() {
    let mut options = Options::default();
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "32" {
        options.data_model = rorqual_cfa::DataModel::Ilp32;
    }
    let quiet = args[1] == "q";
    for f in &args[2..] {
        match parse(&[TranslationUnit::new(f)], &options, &Os).and_then(|p| lower(p, &options)) {
            Ok(p) => {
                let ids: Vec<_> = p.functions.ids().collect();
                if !quiet {
                    let mut s = String::new();
                    rorqual_cfa::write_text(&mut s, &p, &ids).unwrap();
                    print!("{s}");
                } else {
                    for (c, s) in p.unsupported() {
                        println!("{f}: {c} {}", p.sources.position(s));
                    }
                }
            }
            Err(e) => {
                for d in e.diagnostics {
                    println!("FAIL {f}: {} {}", e.sources.position(d.span), d.message);
                }
            }
        }
    }
}
