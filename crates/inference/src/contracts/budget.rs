//! What the inference of contracts may cost.

budget! {
    /// What one inference round about contracts may cost, and when there is one.
    pub struct Budget {
        /// The first round is after 2 refinements, and the next whenever their number has doubled: candidates are
        /// made from interpolants too.
        pub first_round: usize = 2,
        /// At most 60 procedures: every candidate costs queries in each of them.
        pub procedures: usize = 60,
        /// From round 4 on, candidates for programs without recursion come from samples of all cells too, as facts about loops
        /// have not sufficed,
        pub late_round: usize = 4,
        /// and from the first round on if bodies have at most 200 terms in all, as candidates cost little then.
        pub small: usize = 200,
        /// At most 3,000 queries of Houdini per round; what is not proved then is dropped.
        pub queries: usize = 3_000,
        /// Queries go through 4,000,000 terms, roughly: programs with large bodies get fewer of them.
        pub work: usize = 4_000_000,
        /// At most 10,000 conflicts per query,
        pub conflicts: u32 = 10_000,
        /// but at most 1,000 if bodies
        pub few_conflicts: u32 = 1_000,
        /// have more than 1,500 terms in all, as queries are larger then.
        pub large: usize = 1_500,
        /// At most 10,000 conflicts per query whether contracts suffice.
        pub suffice_conflicts: u32 = 10_000,
        /// Relations between numbers.
        pub relations: Relations = Relations::default(),
        /// Tables of values.
        pub tables: Tables = Tables::default(),
        /// Executions with inputs that contracts suggest.
        pub probe: Probe = Probe::default(),
    }
}

budget! {
    /// How many relations between what a procedure is given and gives back are candidates.
    pub struct Relations {
        /// At most 12 cells on each side: relations grow with the square.
        pub cells: usize = 12,
        /// Products of two given numbers if there are at most 3 of them: multiplication is hard for the solver.
        pub factors: usize = 3,
        /// At most 200 candidates per guard, as every call has to prove them.
        pub guards: usize = 200,
        /// At most 12 conditions of the program make cases.
        pub conditions: usize = 12,
        /// Conditions have at most 20 different subterms: each is evaluated in all samples.
        pub condition_size: usize = 20,
        /// At most 300 implications per summary.
        pub clauses: usize = 300,
    }
}

budget! {
    /// How large tables of what a procedure does for single values are.
    pub struct Tables {
        /// At most 64 values of a cell make cases of their own: the smallest ones.
        pub values: usize = 64,
        /// At most 400 entries per summary, as Houdini has to prove them.
        pub entries: usize = 400,
        /// A number with at most 16 values tells iterations of a loop apart.
        pub few_values: usize = 16,
        /// Coefficients of equations of at most 64: with larger ones an equation can fit any samples.
        pub coefficient: i128 = 64,
        /// At most 400 entries are tried beyond those that were sampled,
        pub extensions: usize = 400,
        /// with at most 1,000 conflicts for each: the entry before determines it, or nothing does.
        pub conflicts: u32 = 1_000,
    }
}

budget! {
    /// How many executions are tried with inputs that contracts do not exclude.
    pub struct Probe {
        /// At most 12 executions: each takes a query, and up to as many calls as a suspected violation may have.
        pub runs: usize = 12,
        /// At most 5,000 conflicts for each choice of inputs.
        pub conflicts: u32 = 5_000,
        /// Inputs within these bounds are tried first, the smallest bound first: small inputs lead to short executions.
        pub bounds: [u64; 4] = [12, 130, 1_100, 1 << 20],
        /// Then one of the inputs is to be at most 130,
        pub one_bound: u64 = 130,
        /// one of the first 8 after the other.
        pub inputs: usize = 8,
    }
}
