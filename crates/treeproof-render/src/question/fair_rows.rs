//! Equal treatment of rows if protected features change: `fair` with data.

use treeproof_report::{Bounds, Pair, PairAnswer, PairRow, PairRowsAnswer, PairWitness, Stopped, Verdict, Witness};

use crate::facts::Facts;
use crate::image;
use crate::inputs::{Tested, beside};
use crate::page::Page;
use crate::rows::{changes, chosen, left_out_rows};
use crate::scene::Scene;
use crate::tables::{Badge, Look, PageTable, TableCell, signed};
use crate::words::{class, counted, decimal, further, grouped, percent, short, sides};

/// The rows that change, with what was found for them; the largest difference first.
fn telling(answer: &PairRowsAnswer) -> impl Iterator<Item = (&PairRow, &Pair<Witness>)> {
    let found = answer.rows.iter().filter_map(|row| Some((row, row.answer.witness.as_ref()?.two()?)));
    let mut rows: Vec<(&PairRow, &Pair<Witness>)> = found.collect();
    rows.retain(|(row, _)| matches!(row.answer.verdict, Verdict::Violated | Verdict::Optimal));
    let far = |row: &PairRow| row.answer.lower.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|(one, _), (other, _)| far(other).total_cmp(&far(one)));
    rows.into_iter()
}

fn table(scene: Scene<'_>, answer: &PairRowsAnswer) -> PageTable {
    let (rows, surface) = (&answer.rows, scene.surface);
    let has_labels = rows.iter().any(|row| row.answer.label.is_some());
    let line = |PairRow { row, answer }: &PairRow| {
        let verdict = match answer.verdict {
            Verdict::Optimal if answer.stopped != Stopped::Target => Badge::EXACT,
            Verdict::Infeasible => Badge { word: "not allowed", ..Badge::default() },
            verdict => verdict.into(),
        };
        let mut cells = vec![TableCell::place(*row), TableCell::badge(verdict), difference(answer)];
        if has_labels {
            cells.push(TableCell::new(labels(answer)));
        }
        cells.push(TableCell::new(answer.witness.as_ref().and_then(PairWitness::two).map_or(String::new(), told)));
        cells
    };
    // Of labels, bounds say only how clear of the decision they are.
    let shown = chosen(rows, surface.rows, true, |row| (row.answer.verdict, f64::INFINITY));
    let measured = format!("change of the {}#", scene.margin());
    let mut names = vec!["row#", "verdict", &measured];
    names.extend(has_labels.then_some("label"));
    names.push("what changes");
    let more = left_out_rows(shown.len(), rows.len(), surface);
    PageTable { is_long: true, ..PageTable::new("Row by row", &names, shown.into_iter().map(line).collect(), more) }
}

/// A row beside what was found for it.
fn found(scene: Scene<'_>, row: &PairRow, pair: &Pair<Witness>, tested: &Tested<'_>) -> PageTable {
    let surface = scene.surface;
    let mut caption = format!("Row {} and what was found", row.row);
    // Facts tell the same where they are not folded away.
    if !surface.is_brief {
        let told = |name: &str, text: String| if text.is_empty() { text } else { format!("{name} {text}") };
        caption.push_str(&told(": label", labels(&row.answer)));
        caption.push_str(&told(", margin", difference(&row.answer).text));
    }
    let mut grid = beside([&format!("row {}", row.row), "found"], pair.both(), &caption, tested, surface);
    let mut facts = Facts::default();
    facts.pair(&row.answer, scene);
    grid.facts = facts.0;
    grid
}

/// The change of the margin. Of labels the bounds are by how much they are clear of the decision, which is no number that people
/// ask for.
fn difference(answer: &PairAnswer) -> TableCell {
    let Bounds { verdict, lower, upper, .. } = answer.into();
    match verdict {
        Verdict::Optimal if answer.stopped != Stopped::Target => TableCell::number(lower),
        Verdict::Optimal | Verdict::Undecided if lower.or(upper).is_some() => {
            let text = |bound: Option<f64>| bound.map_or("?".to_owned(), short);
            TableCell::new(format!("{} to {}", text(lower), text(upper))).sorted_by(lower)
        }
        _ => match answer.output.as_ref().map(|output| (output.a.one(), output.b.one())) {
            Some((Some(a), Some(b))) => TableCell { text: signed(b - a), sort: Some(b - a), look: Look::Plain },
            _ => TableCell::default(),
        },
    }
}

fn labels(answer: &PairAnswer) -> String {
    answer.label.as_ref().map_or(String::new(), |label| sides(label, class))
}

/// The changes between two inputs, in one line.
fn told(Pair { a, b }: &Pair<Witness>) -> String {
    let values = a.0.iter().zip(&b.0).filter(|(a, b)| a.1 != b.1);
    changes(values.map(|((name, old), (_, new))| (&**name, old, new)))
}

pub(super) fn sentence(scene: Scene<'_>, answer: &PairRowsAnswer) -> String {
    let (summary, protected) = (&answer.summary, scene.protected());
    let (asked, violated, decided) = (summary.asked, summary.violated, summary.decided);
    if asked == 0 {
        return "No row meets the conditions.".to_owned();
    }
    let rows = if asked == 1 { "the row".to_owned() } else { counted(asked, "row") };
    if let Some(largest) = summary.largest {
        let upper = |row: &PairRow| row.answer.upper.filter(|_| row.answer.stopped == Stopped::Target);
        let (at, by) = match decided == asked {
            // Where a gap is close enough, the bound is the upper one.
            true => ("at most", answer.rows.iter().filter_map(upper).fold(largest, f64::max)),
            false => ("at least", largest),
        };
        let margin = scene.margin();
        return format!("The {margin} of {rows} moves by {at} {} when only {protected} changes.", decimal(by));
    }
    match (asked, violated) {
        (1, 0) if decided == 1 => {
            format!("The label of the row does not change when only {protected} does: proved.")
        }
        (1, 0) => format!("Whether the label of the row changes when only {protected} does is open."),
        (1, _) => format!("The row gets another label when only {protected} changes."),
        (_, 0) if decided == asked => format!("No label of {rows} changes when only {protected} does: proved."),
        _ => {
            let share = summary.share.map(|share| format!(" ({})", percent(share))).unwrap_or_default();
            let open = further(asked.saturating_sub(decided), "undecided");
            let (violated, get) = (grouped(violated), if violated == 1 { "gets" } else { "get" });
            format!("{violated} of {rows}{share} {get} another label when only {protected} changes{open}.")
        }
    }
}

pub(super) fn fill(scene: Scene<'_>, answer: &PairRowsAnswer, page: &mut Page) {
    let (rows, protected) = (&answer.rows, scene.protected());
    let is_near = |row: &&PairRow| row.answer.stopped == Stopped::Target;
    let with = |verdict: Verdict| rows.iter().filter(move |row| row.answer.verdict == verdict);
    let near = with(Verdict::Optimal).filter(is_near).count();
    let mut tell = |many, is_proved, what: &str| page.proved.count(is_proved, many, "row", what);
    tell(with(Verdict::Holds).count(), true, &format!("no other value of {protected} gives another label"));
    tell(with(Verdict::Violated).count(), true, &format!("another value of {protected} gives another label"));
    let exact = with(Verdict::Optimal).count() - near;
    tell(exact, true, &format!("how far {protected} alone moves the margin is exact"));
    tell(near, true, &format!("how far {protected} alone moves the margin is known within the gap"));
    tell(with(Verdict::Infeasible).count(), false, "not asked about, as they do not meet the conditions");
    let states = rows.iter().map(|row| (row.answer.verdict, row.answer.stopped));
    page.proved.open_rows(states, answer.summary.left);
    page.proved.no("Anything about rows that are not in the data.");
    let summary = &answer.summary;
    // Elsewhere this is among what was proved and what was not.
    if scene.surface.is_brief {
        let excluded = summary.rows.saturating_sub(summary.asked);
        if excluded > 0 {
            let rows = counted(excluded, "row");
            page.facts.tell("left out", format!("{rows}, which the conditions or data exclude"));
        }
        if summary.left > 0 {
            page.facts.tell("not asked", format!("{}: interrupted", counted(summary.left, "row")));
        }
    }
    page.facts.time(answer.seconds, None);
    let witnesses = answer.rows.iter().filter_map(|row| row.answer.witness.as_ref());
    page.facts.hint(witnesses.flat_map(PairWitness::inputs), scene);
    let surface = scene.surface;
    if rows.is_empty() {
        return;
    }
    page.grids.push(table(scene, answer));
    let tested = &Tested::of(scene.about);
    let is_exact = telling(answer)
        .next()
        .is_some_and(|(row, _)| row.answer.verdict == Verdict::Optimal && row.answer.stopped != Stopped::Target);
    let shown = telling(answer).take(surface.beside);
    let mut found: Vec<PageTable> = shown.map(|(row, pair)| found(scene, row, pair, tested)).collect();
    // One row of many is not just any.
    let why = if is_exact { "the largest change" } else { "the clearest case" };
    if let ([only], true) = (found.as_mut_slice(), surface.is_brief && rows.len() > 1) {
        only.caption = only.caption.replacen(" and what was found", &format!(", {why}, and what was found"), 1);
    }
    page.fold(found);
    if !surface.is_brief {
        page.strips = image::within_limits(telling(answer).map(|(row, pair)| {
            image::two(format!("Row {}", row.row), [&format!("row {}", row.row), "found"], pair.both())
        }));
    }
}
