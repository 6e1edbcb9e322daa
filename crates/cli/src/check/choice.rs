//! How the user wants a program to be searched.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;
use rorqual::{STRATEGIES, Strategy, strategy};
use rorqual_engines::bmc::Bmc;
use rorqual_engines::funfrog::{FunFrog, Refine, Strength};
use rorqual_engines::predicate::{Abstraction, Calls, Exchange, Locality, Predicate, PredicateMap};
use rorqual_engines::reduction::{ANALYZERS, External, Reduction, analyzer};
use rorqual_engines::whale::{Expand, Whale};
use rorqual_engines::{Blocks, engine, engines};
use rorqual_strategy::Help;

use super::arguments::{
    AbstractionChoice, BlocksChoice, CallsChoice, CheckArguments, ExpandChoice, LocalityChoice, RefineChoice,
    SummariesChoice,
};
use crate::exit::Problem;

/// The time that one run of an external analyzer may take.
const ANALYZER_PATIENCE: Duration = Duration::from_mins(1);

/// The name of the strategy that is used unless the user says otherwise.
pub(crate) const AUTO: &str = "auto";

/// What `--engine` takes: each engine as in its paper, and `auto`.
pub(crate) fn engine_names() -> PossibleValuesParser {
    let auto = PossibleValue::new(AUTO).help("The strategy of that name");
    let named = engines().into_iter().map(|engine| PossibleValue::new(engine.name()).help(engine.summary()));
    PossibleValuesParser::new([auto].into_iter().chain(named))
}

/// What `--analyzer` takes.
pub(crate) fn analyzer_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ANALYZERS.map(|(name, summary)| PossibleValue::new(name).help(summary)))
}

/// What `--strategy` takes.
pub(crate) fn strategy_names() -> PossibleValuesParser {
    PossibleValuesParser::new(STRATEGIES.map(|(name, summary)| PossibleValue::new(name).help(summary)))
}

/// A strategy, and what to call it.
pub(crate) struct Choice {
    /// `engine: impact`, or `strategy: summaries`
    pub(crate) label: String,
    /// The name alone.
    pub(crate) name: String,
    pub(crate) strategy: Strategy,
    /// The predicates that go into a run and come out of it.
    pub(crate) exchange: Option<Arc<Exchange>>,
}

impl Choice {
    /// What the arguments ask for.
    pub(crate) fn of(arguments: &CheckArguments) -> Result<Choice, Problem> {
        let engine_name = arguments.engine.as_deref().unwrap_or(AUTO);
        refuse_settings_of_others(arguments, engine_name)?;
        let mut exchange = None;
        if let Some(name) = &arguments.strategy {
            let strategy = strategy(name).expect("the arguments were checked");
            return Ok(Choice { label: format!("strategy: {name}"), name: name.clone(), strategy, exchange });
        }
        let strategy = match engine_name {
            AUTO => rorqual::auto(),
            "whale" => Strategy::engine(whale(arguments)),
            "bmc" => Strategy::engine(bmc(arguments)),
            "funfrog" => Strategy::engine(funfrog(arguments)),
            "predicate" => {
                let engine = predicate(arguments)?;
                exchange.clone_from(&engine.exchange);
                Strategy::engine(engine)
            }
            "reduction" => Strategy::engine(reduction(arguments)),
            name => Strategy::Engine(engine(name).expect("the arguments were checked").into(), Help::None),
        };
        Ok(Choice {
            label: format!("engine: {engine_name}"),
            name: engine_name.to_owned(),
            strategy,
            exchange,
        })
    }
}

/// Settings of one engine mean nothing for others.
fn refuse_settings_of_others(arguments: &CheckArguments, engine: &str) -> Result<(), Problem> {
    let settings = [
        (
            arguments.expand.is_some() || arguments.merge.is_some(),
            "`--expand` and `--merge` need",
            &["whale"][..],
        ),
        (
            arguments.refine.is_some() || arguments.summaries.is_some(),
            "`--refine` and `--summaries` need",
            &["funfrog"],
        ),
        (arguments.analyzer.is_some(), "`--analyzer` needs", &["reduction"]),
        (arguments.analyzer_command.is_some(), "`--analyzer-command` needs", &["reduction"]),
        (arguments.unwind.is_some(), "`--unwind` needs", &["bmc", "funfrog"]),
        (
            arguments.depth.is_some() || !arguments.unwindset.is_empty(),
            "`--unwindset` and `--depth` need",
            &["bmc"],
        ),
        (
            sets_predicate(arguments),
            "`--predicates`, `--abstraction`, `--blocks`, `--calls`, `--predicates-in` and `--predicates-out` need",
            &["predicate"],
        ),
    ];
    for (is_set, what, engines) in settings {
        if is_set && (arguments.strategy.is_some() || !engines.contains(&engine)) {
            let found = arguments.strategy.as_deref().unwrap_or(engine);
            let wanted: Vec<String> = engines.iter().map(|name| format!("`--engine {name}`")).collect();
            return Err(Problem::Usage(format!("{what} {} (found `{found}`)", wanted.join(" or "))));
        }
    }
    Ok(())
}

fn funfrog(arguments: &CheckArguments) -> FunFrog {
    let refine = match arguments.refine {
        Some(RefineChoice::Greedy) => Refine::Greedy,
        Some(RefineChoice::Guided) | None => Refine::Guided,
    };
    let strength = match arguments.summaries {
        Some(SummariesChoice::Symmetric) => Strength::Symmetric,
        Some(SummariesChoice::Strong) | None => Strength::Strong,
    };
    FunFrog { refine, strength, unwind: arguments.unwind, ..FunFrog::default() }
}

fn sets_predicate(arguments: &CheckArguments) -> bool {
    arguments.predicates.is_some()
        || arguments.abstraction.is_some()
        || arguments.blocks.is_some()
        || arguments.calls.is_some()
        || arguments.predicates_in.is_some()
        || arguments.predicates_out.is_some()
}

fn predicate(arguments: &CheckArguments) -> Result<Predicate, Problem> {
    let default = Predicate::default();
    let given = match &arguments.predicates_in {
        Some(file) => read_predicates(file)?,
        None => PredicateMap::default(),
    };
    Ok(Predicate {
        locality: match arguments.predicates {
            Some(LocalityChoice::Location) => Locality::Location,
            Some(LocalityChoice::Function) => Locality::Function,
            Some(LocalityChoice::Global) => Locality::Global,
            None => default.locality,
        },
        abstraction: match arguments.abstraction {
            Some(AbstractionChoice::Cartesian) => Abstraction::Cartesian,
            Some(AbstractionChoice::Boolean) => Abstraction::Boolean,
            None => default.abstraction,
        },
        blocks: match arguments.blocks {
            Some(BlocksChoice::Basic) => Blocks::Basic,
            Some(BlocksChoice::Large) => Blocks::Large,
            None => default.blocks,
        },
        calls: match arguments.calls {
            Some(CallsChoice::Inline) => Calls::Inline,
            Some(CallsChoice::Summaries) => Calls::Summaries,
            None => default.calls,
        },
        exchange: Some(Arc::new(Exchange::new(given))),
        ..default
    })
}

fn read_predicates(file: &Path) -> Result<PredicateMap, Problem> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Problem::File(format!("cannot read `{name}`: {error}")))?;
    PredicateMap::parse(&text).map_err(|error| {
        let help = "docs/formats/predicates.md describes the format";
        Problem::File(format!("{name}:{}: {}\n  = help: {help}", error.line, error.message))
    })
}

fn bmc(arguments: &CheckArguments) -> Bmc {
    let default = Bmc::default();
    Bmc {
        first: arguments.unwind.unwrap_or(default.first),
        last: arguments.unwind,
        loops: arguments.unwindset.iter().cloned().collect(),
        depth: arguments.depth.unwrap_or(default.depth),
        ..default
    }
}

fn reduction(arguments: &CheckArguments) -> Reduction {
    let default = Reduction::default();
    if let Some(command) = &arguments.analyzer_command {
        let directory = std::env::temp_dir().join(format!("rorqual-reduction-{}", std::process::id()));
        let external = External { command: command.clone(), directory, patience: ANALYZER_PATIENCE };
        return Reduction { analyzer: Arc::new(external), ..default };
    }
    match arguments.analyzer.as_deref().and_then(analyzer) {
        Some(analyzer) => Reduction { analyzer: analyzer.into(), ..default },
        None => default,
    }
}

fn whale(arguments: &CheckArguments) -> Whale {
    let expand = match arguments.expand {
        Some(ExpandChoice::One) => Expand::One,
        Some(ExpandChoice::Some) => Expand::Some,
        Some(ExpandChoice::All) | None => Expand::All,
    };
    Whale { expand, merge: arguments.merge }
}
