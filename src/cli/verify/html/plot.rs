// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines over time as SVG, in the page's own colours.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 64.0;
const BELOW: f64 = 28.0;
const ABOVE: f64 = 10.0;

/// A line of a plot.
pub struct Line {
    pub name: String,
    /// By ascending x.
    pub points: Vec<(f64, f64)>,
}

/// Operations a second, between one point and the next.
pub fn rate(progress: &[(f64, u64)]) -> Vec<(f64, f64)> {
    let between = |pair: &[(f64, u64)]| {
        let time = pair[1].0 - pair[0].0;
        (time > 0.0).then(|| (pair[1].0, (pair[1].1 - pair[0].1) as f64 / time))
    };
    progress.windows(2).filter_map(between).collect()
}

/// The lines over each other; `what` says what they show, `unit` of what the height is.
pub fn lines(what: &str, unit: &str, lines: &[Line]) -> Markup {
    let points = || lines.iter().flat_map(|line| &line.points);
    let right = points().map(|point| point.0).fold(0.0, f64::max);
    let top = step(points().map(|point| point.1).fold(0.0, f64::max)) * 4.0;
    if right <= 0.0 || top <= 0.0 {
        return html! { p { "Too short for a plot." } };
    }
    let x = |value: f64| LEFT + value / right * (WIDTH - LEFT - 8.0);
    let y = |value: f64| HEIGHT - BELOW - value / top * (HEIGHT - BELOW - ABOVE);
    let path = |line: &Line| {
        let mut path = String::new();
        for (number, &(at, value)) in line.points.iter().enumerate() {
            // A String takes everything.
            let _ = write!(path, "{}{:.1} {:.1}", if number == 0 { "M" } else { "L" }, x(at), y(value));
        }
        path
    };
    html! {
        figure {
            figcaption { (what) ", " (unit) }
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(format!("{what}, {unit}")) {
                @for quarter in 0..=4 {
                    @let value = top * f64::from(quarter) / 4.0;
                    line class="grid" x1=(LEFT) x2=(WIDTH - 8.0) y1=(y(value)) y2=(y(value)) {}
                    text x=(LEFT - 6.0) y=(y(value) + 4.0) text-anchor="end" { (short(value)) }
                }
                @for part in 0..=4 {
                    @let value = right * f64::from(part) / 4.0;
                    text x=(x(value)) y=(HEIGHT - 8.0) text-anchor=(if part == 4 { "end" } else { "middle" }) {
                        (format!("{value:.1} s"))
                    }
                }
                @for (number, line) in lines.iter().enumerate() {
                    path class=(format!("line line{}", number % 6)) d=(path(line)) { title { (line.name) } }
                }
            }
            @if lines.len() > 1 {
                ul class="legend" {
                    @for (number, line) in lines.iter().enumerate() {
                        li class=(format!("line{}", number % 6)) { (line.name) }
                    }
                }
            }
        }
    }
}

/// A quarter of the height: 1, 2, 2.5 or 5 times a power of ten, so that four of them are enough.
fn step(most: f64) -> f64 {
    if most <= 0.0 {
        return 0.0;
    }
    let power = 10f64.powf((most / 4.0).log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| step * 4.0 >= most).unwrap_or(most)
}

/// `12.5k`.
fn short(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{}M", value / 1e6),
        _ if value >= 1e3 => format!("{}k", value / 1e3),
        _ => format!("{value}"),
    }
}

/// A bar that is filled to a share, for the eye; the number stands beside it.
pub fn bar(share: f64) -> Markup {
    let width = (share * 100.0).clamp(0.0, 100.0);
    PreEscaped(format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"100\" \
         height=\"8\"/><rect class=\"filled\" width=\"{width:.1}\" height=\"8\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_hold_what_they_must() {
        for most in [0.001, 0.9, 1.0, 3.9, 4.1, 7.0, 999.0, 12_345.0] {
            assert!(step(most) * 4.0 >= most && step(most) * 4.0 <= most * 2.51, "{most}: {}", step(most));
        }
    }

    #[test]
    fn a_rate_is_between_points() {
        assert_eq!(rate(&[(0.0, 0), (0.5, 100), (0.5, 120), (1.0, 420)]), [(0.5, 200.0), (1.0, 600.0)]);
    }
}
