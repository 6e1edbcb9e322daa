//! Logarithmic and linear axes: from values to places on the page, and the values worth a tick.

/// An axis from a place on the page to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub(super) start: f64,
    pub(super) end: f64,
    low: f64,
    high: f64,
    scale: Scale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Linear,
    Logarithmic,
}

impl Axis {
    /// Whole decades that contain everything from `low` to `high`, both positive.
    pub(super) fn logarithmic(start: f64, end: f64, low: f64, high: f64) -> Axis {
        let low = low.log10().floor();
        let high = high.log10().ceil().max(low + 1.0);
        Axis { start, end, low, high, scale: Scale::Logarithmic }
    }

    /// From zero to `high`.
    pub(super) fn linear(start: f64, end: f64, high: f64) -> Axis {
        Axis { start, end, low: 0.0, high: high.max(1.0), scale: Scale::Linear }
    }

    /// Where a value stands.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.log10(),
        };
        self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    /// The largest value.
    pub(super) fn high(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.high,
            Scale::Logarithmic => 10f64.powf(self.high),
        }
    }

    /// The smallest value.
    pub(super) fn low(&self) -> f64 {
        match self.scale {
            Scale::Linear => self.low,
            Scale::Logarithmic => 10f64.powf(self.low),
        }
    }

    /// The values with a tick and their labels.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Logarithmic => {
                let decades = self.low as i32..=self.high as i32;
                decades.map(|power| (10f64.powi(power), decimal(power))).collect()
            }
            Scale::Linear => {
                let step = round_step(self.high / 6.0);
                let count = (self.high / step).floor() as u32;
                let values = (0..=count).map(|index| f64::from(index) * step);
                values.map(|value| (value, format!("{value}"))).collect()
            }
        }
    }
}

/// A power of ten in full.
fn decimal(power: i32) -> String {
    if power >= 0 { format!("1{}", "0".repeat(power as usize)) } else { format!("{}", 10f64.powi(power)) }
}

/// The next of 1, 2, 5, 10, 20, …
fn round_step(atleast: f64) -> f64 {
    let mut power = 1.0;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if factor * power >= atleast {
                return factor * power;
            }
        }
        power *= 10.0;
    }
}
