//! Tables of text: the first column to the left, numbers to the right.

/// A table that is being filled.
pub(super) struct Table {
    lines: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub(super) fn new(headings: impl IntoIterator<Item = String>) -> Table {
        Table { lines: vec![headings.into_iter().collect()] }
    }

    /// Adds a line, which has as many values as there are headings.
    pub(super) fn add(&mut self, line: Vec<String>) {
        debug_assert_eq!(line.len(), self.lines[0].len());
        self.lines.push(line);
    }

    /// The table with its columns aligned.
    pub(super) fn text(&self) -> String {
        let width = |column: usize| self.lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.lines[0].len()).map(|column| width(column).unwrap_or(0)).collect();
        let cell = |(column, value): (usize, &String)| match widths[column] {
            width if column == 0 => format!("{value:<width$}"),
            width => format!("  {value:>width$}"),
        };
        let line = |line: &Vec<String>| line.iter().enumerate().map(cell).collect::<String>();
        self.lines.iter().map(|values| line(values).trim_end().to_owned() + "\n").collect()
    }
}
