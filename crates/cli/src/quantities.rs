//! Sizes and durations as users write them: `4GB`, `512MiB`, `60s`, `500ms`.

use std::time::Duration;

/// Reads a number of bytes. Units with `i` are powers of 1024, those without powers of 1000.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let factor = |unit: &str| {
        Some(match unit {
            "" | "B" => 1,
            "kB" | "KB" => 1_000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            _ => return None,
        })
    };
    scaled(text, factor).ok_or_else(|| "expected a number of bytes such as `4GB` or `512MiB`".to_owned())
}

/// Reads a duration; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let factor = |unit: &str| {
        Some(match unit {
            "ms" => 1,
            "" | "s" => 1_000,
            "m" | "min" => 60_000,
            "h" => 3_600_000,
            _ => return None,
        })
    };
    let milliseconds = scaled(text, factor);
    let expected = || "expected a duration such as `60s`, `500ms` or `5min`".to_owned();
    milliseconds.map(Duration::from_millis).ok_or_else(expected)
}

/// A limit of time, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeLimit(pub(crate) Option<Duration>);

/// The limit of a check unless the user says otherwise.
pub(crate) const DEFAULT_TIME_LIMIT: &str = "15min";

/// Reads a limit of time: a duration, or `none`.
pub(crate) fn time_limit(text: &str) -> Result<TimeLimit, String> {
    if text == "none" {
        return Ok(TimeLimit(None));
    }
    let limit = duration(text).map_err(|expected| format!("{expected}, or `none`"))?;
    Ok(TimeLimit(Some(limit)))
}

/// A duration as users write it.
pub(crate) fn duration_text(duration: Duration) -> String {
    match duration.as_secs() {
        minutes if duration.subsec_nanos() == 0 && minutes >= 60 && minutes % 60 == 0 => {
            format!("{}min", minutes / 60)
        }
        _ => format!("{duration:?}"),
    }
}

fn scaled(text: &str, factor: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    number.parse::<u64>().ok()?.checked_mul(factor(unit.trim_start())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_decimal_and_binary_units() {
        assert_eq!(size("4GB"), Ok(4_000_000_000));
        assert_eq!(size("2 KiB"), Ok(2048));
        assert_eq!(size("17"), Ok(17));
        for bad in ["", "GB", "4XB", "-1", "99999999999999999999", "18446744073709551615GB"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_default_to_seconds() {
        assert_eq!(duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("2min"), Ok(Duration::from_mins(2)));
        assert!(duration("soon").is_err());
    }
}
