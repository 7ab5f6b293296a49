//! Writes every kind of plot, and a report, into a folder, to look at: `cargo run -p pegwise-labstats --example gallery -- FOLDER`.

use pegwise_labstats::Summary;
use pegwise_labstats::plot::{
    Axis, BoxPlot, Curve, CurvePoint, Histogram, Lines, Scale, Scatter, ScatterPoint, Series, Spread, Unit,
};
use pegwise_labstats::report::{Report, Sample, Trial};
use std::path::PathBuf;

const NAMES: [&str; 10] = [
    "entropy",
    "most-parts",
    "knuth",
    "expected-size",
    "random-consistent",
    "evorank(population=128,replacement=0.25)",
    "hill-climbing(tracker=off)",
    "annealing",
    "tabu",
    "greedy",
];

/// Numbers that look random and are always the same.
fn noise(count: usize, seed: u64) -> impl Iterator<Item = f64> {
    (0..count as u64).map(move |k| {
        let mixed = (k + 1 + seed * 1_000_003).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ mixed >> 32) >> 11) as f64 / (1u64 << 53) as f64
    })
}

/// About normal.
fn bell(count: usize, seed: u64, mean: f64, sd: f64) -> Vec<f64> {
    let draws: Vec<f64> = noise(count * 6, seed).collect();
    draws.chunks(6).map(|six| mean + sd * (six.iter().sum::<f64>() - 3.0) * 1.414).collect()
}

fn guesses(seed: u64, mean: f64) -> Vec<f64> {
    bell(1000, seed, mean, 0.85).into_iter().map(|value| value.round().max(1.0)).collect()
}

/// Costs spread over decades, as those of searches are.
fn costs(seed: u64, middle: f64) -> Vec<f64> {
    bell(1000, seed, 0.0, 0.9).into_iter().map(|value| (middle * value.exp()).round()).collect()
}

fn summary(values: &[f64]) -> Summary {
    Summary::of(values).expect("every sample here has values")
}

fn samples(count: usize) -> Vec<Series> {
    let of = |(index, name): (usize, &&str)| Series::new(*name, guesses(index as u64, 4.4 + 0.08 * index as f64));
    NAMES.iter().enumerate().take(count).map(of).collect()
}

fn scaling(axis: Axis, value: impl Fn(f64, usize) -> f64) -> Lines {
    let boards = [(1296.0, "4x6"), (32768.0, "5x8"), (262_144.0, "6x8"), (531_441.0, "6x9"), (429_981_696.0, "8x12")];
    let curve = |(series, name): (usize, &&str)| Curve {
        name: (*name).to_owned(),
        points: boards
            .map(|(x, _)| CurvePoint {
                x,
                y: summary(&bell(60, series as u64, value(x, series), value(x, series) * 0.1)),
            })
            .to_vec(),
    };
    Lines {
        title: "How strategies scale".into(),
        x: Axis {
            scale: Scale::Log,
            names: boards.map(|(x, name)| (x, name.to_owned())).to_vec(),
            ..Axis::new("board, by its number of codes (log scale)")
        },
        y: axis,
        curves: NAMES.iter().enumerate().take(4).map(curve).collect(),
        spread: Spread::Bars,
    }
}

fn sweep(scale: Scale) -> Lines {
    let points = (1..=12).map(|step| {
        let x = if scale == Scale::Log { f64::from(1 << step) } else { f64::from(step * 8) };
        CurvePoint { x, y: summary(&bell(80, step as u64, 4.4 + 1.2 / f64::from(step), 0.5)) }
    });
    Lines {
        title: "evorank, 4x6: what the population does".into(),
        x: Axis { scale, ..Axis::new("population") },
        y: Axis::new("guesses, mean and 95 % interval"),
        curves: vec![Curve { name: "evorank".into(), points: points.collect() }],
        spread: Spread::Band,
    }
}

/// An experiment on two boards, in two runs, with a sweep.
fn report() -> Report {
    let mut samples = Vec::new();
    for (rules, codes, more) in [("4x6", 1296.0, 0.0), ("5x8", 32768.0, 1.2)] {
        let sweep = [32, 64, 128, 256].map(|population| format!("evorank(population={population})"));
        let strategies = NAMES[..5].iter().map(|name| (*name).to_owned()).chain(sweep);
        for (index, strategy) in strategies.enumerate() {
            let mut sample = Sample::new(rules, strategy).with_codes(codes);
            let guesses = guesses(index as u64, 4.4 + more + 0.03 * index as f64);
            let costs = costs(index as u64, codes / 10.0 * (index + 1) as f64);
            for (game, (guesses, cost)) in guesses.into_iter().zip(costs).enumerate() {
                let (guesses, examined, seconds) = (guesses as u32, cost as u64, cost * 3e-7);
                let (run, game) = (game as u32 / 500, game as u64 % 500);
                sample.push(Trial { run, game, solved: true, guesses, examined, consistent: 0, seconds });
            }
            samples.push(sample);
        }
    }
    Report::new(&samples)
}

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".into()));
    let guesses_axis = || Axis::new("guesses");
    let examined_axis = || Axis { scale: Scale::Log, ..Axis::new("codes examined a game (log scale)") };
    let histogram = |count| Histogram { title: "Guesses, 4x6".into(), axis: guesses_axis(), series: samples(count) };
    let costs_of =
        |(index, name): (usize, &&str)| Series::new(*name, costs(index as u64, 40.0 * 3f64.powi(index as i32)));
    let examined: Vec<Series> = NAMES.iter().enumerate().take(6).map(costs_of).collect();
    let points = samples(10).into_iter().zip(NAMES.iter().enumerate().map(costs_of)).map(|(y, x)| ScatterPoint {
        name: y.name,
        x: summary(&x.values),
        y: summary(&y.values),
    });
    let time_axis = Axis { scale: Scale::Log, unit: Unit::Seconds, ..Axis::new("time a game (log scale)") };
    let plots = [
        ("histogram-1", histogram(1).svg()),
        ("histogram-3", histogram(3).svg()),
        ("histogram-10", histogram(10).svg()),
        (
            "histogram-ranges",
            Histogram {
                title: "Codes examined, 4x6".into(),
                axis: Axis::new("codes examined a game"),
                series: vec![examined[3].clone()],
            }
            .svg(),
        ),
        ("box-guesses", BoxPlot { title: "Guesses, 4x6".into(), axis: guesses_axis(), series: samples(6) }.svg()),
        (
            "box-examined",
            BoxPlot { title: "Codes examined, 4x6".into(), axis: examined_axis(), series: examined }.svg(),
        ),
        (
            "scatter",
            Scatter {
                title: "Guesses against codes examined, 4x6".into(),
                x: examined_axis(),
                y: Axis::new("mean guesses"),
                points: points.collect(),
            }
            .svg(),
        ),
        (
            "scaling-guesses",
            scaling(Axis::new("mean guesses"), |codes, series| codes.log10() * 1.1 + series as f64 * 0.2).svg(),
        ),
        ("scaling-time", scaling(time_axis, |codes, series| codes * 1e-8 * (1.0 + series as f64)).svg()),
        ("sweep-linear", sweep(Scale::Linear).svg()),
        ("sweep-log", sweep(Scale::Log).svg()),
    ];
    for (name, svg) in plots {
        let file = folder.join(name);
        #[cfg(feature = "png")]
        std::fs::write(
            file.with_extension("png"),
            pegwise_labstats::plot::png(&svg, 1.0).map_err(std::io::Error::other)?,
        )?;
        std::fs::write(file.with_extension("svg"), svg)?;
    }
    std::fs::write(folder.join("report.html"), report().html("An experiment"))?;
    std::fs::write(folder.join("report.md"), report().markdown("An experiment", None))
}
