//! Random steps of a pipeline as JSON, and what they do to a row, said once more and plainly: cell by cell, step by step.

use serde_json::{Value as Json, json};

/// A cell of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Number(f64),
    Text(String),
    Nothing,
}

impl Cell {
    /// Whether a step that looks for a JSON value finds it here.
    fn is(&self, known: &Json) -> bool {
        match (self, known) {
            (Self::Number(x), Json::Number(y)) => Some(*x) == y.as_f64(),
            (Self::Number(x), Json::Bool(y)) => *x == f64::from(u8::from(*y)),
            (Self::Text(x), Json::String(y)) => x == y,
            (Self::Number(x), Json::Object(_)) => x.is_nan() && known["missing"] == "nan",
            (Self::Nothing, Json::Object(_)) => known["missing"] == "none",
            _ => false,
        }
    }

    fn of(known: &Json) -> Self {
        match known {
            Json::Number(x) => Self::Number(x.as_f64().unwrap()),
            Json::String(text) => Self::Text(text.clone()),
            _ if known["missing"] == "none" => Self::Nothing,
            _ => Self::Number(f64::NAN),
        }
    }

    pub(crate) fn number(&self) -> Result<f64, ()> {
        match self {
            Self::Number(x) => Ok(*x),
            Self::Nothing => Ok(f64::NAN),
            Self::Text(_) => Err(()),
        }
    }

    fn is_infinite(&self) -> bool {
        matches!(self, Self::Number(x) if x.is_infinite())
    }
}

/// What steps make of a row, and whether zeros are left out; an error if one refuses it.
pub(crate) fn transform(steps: &Json, row: &[Cell]) -> Result<(Vec<Cell>, bool), ()> {
    let mut table = (row.to_vec(), false);
    for step in steps.as_array().unwrap() {
        let (action, content) = step["do"].as_object().unwrap().iter().next().unwrap();
        table = one(action, content, table)?;
    }
    Ok(table)
}

fn one(action: &str, content: &Json, (row, is_sparse): (Vec<Cell>, bool)) -> Result<(Vec<Cell>, bool), ()> {
    let number = |list: &Json, place: usize| list.get(place).and_then(Json::as_f64);
    if action != "select" && action != "union" && row.iter().any(Cell::is_infinite) {
        return Err(());
    }
    let clip = |x: f64| match content.get("clip").and_then(Json::as_array) {
        Some(ends) if !x.is_nan() => {
            let (low, high) = (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap());
            if x < low {
                low
            } else if x > high {
                high
            } else {
                x
            }
        }
        _ => x,
    };
    match action {
        "scale" => {
            let scaled = |(place, cell): (usize, &Cell)| {
                let mut x = cell.number()?;
                if let Some(by) = number(&content["subtract"], place) {
                    x -= by;
                }
                if let Some(by) = number(&content["divide"], place) {
                    x /= by;
                }
                Ok(Cell::Number(clip(x)))
            };
            Ok((row.iter().enumerate().map(scaled).collect::<Result<_, ()>>()?, false))
        }
        "stretch" => {
            let stretched = |(place, cell): (usize, &Cell)| {
                let mut x = cell.number()?;
                x *= number(&content["multiply"], place).unwrap();
                x += number(&content["add"], place).unwrap();
                Ok(Cell::Number(clip(x)))
            };
            Ok((row.iter().enumerate().map(stretched).collect::<Result<_, ()>>()?, false))
        }
        "impute" => {
            let missing = &content["missing"];
            let is_nan_missing = missing["missing"] == "nan";
            if !is_nan_missing && row.iter().any(|cell| matches!(cell, Cell::Number(x) if x.is_nan())) {
                return Err(());
            }
            let fill = content["fill"].as_array().unwrap();
            let filled = row.iter().zip(fill).filter(|(_, fill)| !fill.is_null());
            let mut made: Vec<Cell> =
                filled.map(|(cell, fill)| if cell.is(missing) { Cell::of(fill) } else { cell.clone() }).collect();
            let indicator = |place: &Json| {
                let cell = &row[usize::try_from(place.as_u64().unwrap()).unwrap()];
                Cell::Number(f64::from(u8::from(cell.is(missing))))
            };
            made.extend(content["indicators"].as_array().unwrap().iter().map(indicator));
            Ok((made, false))
        }
        "one_hot" => {
            let mut made = vec![];
            for (cell, known) in row.iter().zip(content["columns"].as_array().unwrap()) {
                let place = known["categories"].as_array().unwrap().iter().position(|category| cell.is(category));
                let hot = match place {
                    Some(place) => &known["outputs"][place],
                    None if known["refuse_unknown"] == true => return Err(()),
                    None => &known["unknown_output"],
                };
                let outputs = 0..known["num_outputs"].as_u64().unwrap();
                made.extend(outputs.map(|output| Cell::Number(f64::from(u8::from(hot.as_u64() == Some(output))))));
            }
            Ok((made, content["sparse"] == true))
        }
        "ordinal" => {
            let mut made = vec![];
            for (cell, known) in row.iter().zip(content["columns"].as_array().unwrap()) {
                let place = known["categories"].as_array().unwrap().iter().position(|category| cell.is(category));
                let code = match place {
                    Some(place) => &known["codes"][place],
                    None if known["unknown"].is_null() => return Err(()),
                    None => &known["unknown"],
                };
                made.push(Cell::Number(code.as_f64().unwrap_or(f64::NAN)));
            }
            Ok((made, false))
        }
        "select" => {
            let is_refused = |cell: &Cell| matches!(cell, Cell::Number(x) if !x.is_finite());
            if content["finite"] == true && row.iter().any(is_refused) {
                return Err(());
            }
            Ok((picked(&content["columns"], &row), is_sparse))
        }
        "union" => {
            let (mut made, mut any_sparse) = (vec![], false);
            for part in content["parts"].as_array().unwrap() {
                let (cells, is_sparse) = transform(&part["steps"], &picked(&part["columns"], &row))?;
                made.extend(cells);
                any_sparse |= is_sparse;
            }
            Ok((made, content["sparse"].as_bool().unwrap_or(any_sparse)))
        }
        other => panic!("{other}"),
    }
}

fn picked(columns: &Json, row: &[Cell]) -> Vec<Cell> {
    let place = |place: &Json| row[usize::try_from(place.as_u64().unwrap()).unwrap()].clone();
    columns.as_array().unwrap().iter().map(place).collect()
}

/// Random numbers that a seed repeats.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % count
    }

    pub(crate) fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// The columns of the pipelines made here: two of numbers, texts, and numbers that are categories.
pub(crate) const COLUMNS: [&str; 4] = ["age", "income", "colour", "grade"];
pub(crate) const TEXTS: [&str; 4] = ["red", "green", "blue", "?"];

const FACTORS: [f64; 8] = [1.0, 0.1, 3.0, 7.5, 1e-3, 1234.5678, 1e300, 5e-324];
pub(crate) const NUMBERS: [f64; 12] = [0.0, 1.0, -1.0, 0.1, 2.0, 3.0, 40.5, -7.25, 1e-40, 1e39, 123_456.789, -1e-310];

/// Random steps.
pub(crate) fn steps(random: &mut Random) -> Json {
    let mut parts = vec![];
    for _ in 0..=random.below(4) {
        let kind = random.below(5);
        let (columns, own) = match kind {
            0 | 1 => {
                let columns = [vec![0], vec![1, 0], vec![0, 1]][random.below(3)].clone();
                let own = numeric(random, columns.len());
                (columns, own)
            }
            2 => (vec![2], text(random)),
            3 => (vec![3], graded(random)),
            _ => (vec![random.below(2)], vec![]),
        };
        parts.push(json!({"columns": columns, "steps": own}));
    }
    let mut union = json!({"parts": parts});
    match random.below(3) {
        0 => union["sparse"] = json!(false),
        1 => union["sparse"] = json!(true),
        _ => {}
    }
    json!([step("prep", "union", union)])
}

fn step(name: &str, action: &str, content: Json) -> Json {
    json!({"name": name, "do": {action: content}})
}

fn numeric(random: &mut Random, mut width: usize) -> Vec<Json> {
    let mut steps = vec![];
    for _ in 0..random.below(4) {
        let numbers =
            |random: &mut Random, width: usize, of: &[f64]| (0..width).map(|_| *random.pick(of)).collect::<Vec<f64>>();
        match random.below(6) {
            0 | 1 => {
                let mut content = json!({});
                if !random.chance(3) {
                    content["subtract"] = json!(numbers(random, width, &NUMBERS));
                }
                if !random.chance(3) {
                    content["divide"] = json!(numbers(random, width, &FACTORS));
                }
                steps.push(step("scaler", "scale", content));
            }
            2 => {
                let (multiply, add) = (numbers(random, width, &FACTORS), numbers(random, width, &NUMBERS));
                let mut content = json!({"multiply": multiply, "add": add});
                if random.chance(2) {
                    content["clip"] = json!([-0.5, 1.0]);
                }
                steps.push(step("stretcher", "stretch", content));
            }
            3 | 4 => {
                let missing = if random.chance(3) { json!(random.pick(&NUMBERS)) } else { json!({"missing": "nan"}) };
                let mut fill: Vec<Json> = numbers(random, width, &NUMBERS).into_iter().map(|x| json!(x)).collect();
                if width > 1 && random.chance(4) {
                    fill[0] = Json::Null;
                }
                let kept = fill.iter().filter(|fill| !fill.is_null()).count();
                let indicators: Vec<usize> = (0..width).filter(|_| random.chance(2)).collect();
                let content = json!({"missing": missing, "fill": fill, "indicators": indicators});
                width = kept + content["indicators"].as_array().unwrap().len();
                steps.push(step("imputer", "impute", content));
            }
            _ => {
                let content = json!({"columns": [random.below(width)], "finite": random.chance(2)});
                width = 1;
                steps.push(step("selector", "select", content));
            }
        }
    }
    if random.chance(5) {
        let columns: Vec<Json> =
            (0..width).map(|_| one_hot(random, &[json!(0.0), json!(1.0), json!(40.5)], true)).collect();
        steps.push(step("encoder", "one_hot", json!({"columns": columns, "sparse": random.chance(2)})));
    }
    steps
}

fn text(random: &mut Random) -> Vec<Json> {
    let mut steps = vec![];
    let way = if random.chance(4) { "none" } else { "nan" };
    if random.chance(2) {
        let missing = if random.chance(3) { json!("?") } else { json!({"missing": way}) };
        let content = json!({"missing": missing, "fill": [random.pick(&["red", "none"])], "indicators": []});
        steps.push(step("imputer", "impute", content));
    }
    let mut categories = vec![json!("red"), json!("green")];
    categories.extend(random.chance(2).then(|| json!("blue")));
    categories.extend(random.chance(3).then(|| json!({"missing": way})));
    steps.push(encoder(random, &categories));
    if random.chance(4) && steps.last().unwrap()["do"].get("ordinal").is_some() {
        steps.push(step("scaler", "scale", json!({"subtract": [1.5], "divide": [0.3]})));
    }
    steps
}

fn graded(random: &mut Random) -> Vec<Json> {
    let mut steps = vec![];
    if random.chance(3) {
        let missing = if random.chance(3) { json!(-1.0) } else { json!({"missing": "nan"}) };
        let content = json!({"missing": missing, "fill": [random.pick(&[1.0, 9.0])], "indicators": []});
        steps.push(step("imputer", "impute", content));
    }
    let mut categories = vec![json!(1.0), json!(2.0), json!(3.5)];
    categories.extend(random.chance(3).then(|| json!({"missing": "nan"})));
    steps.push(encoder(random, &categories));
    steps
}

fn encoder(random: &mut Random, categories: &[Json]) -> Json {
    if random.chance(2) {
        let content = json!({"columns": [one_hot(random, categories, false)], "sparse": random.chance(2)});
        return step("one-hot", "one_hot", content);
    }
    let codes: Vec<Json> = categories
        .iter()
        .enumerate()
        .map(|(code, category)| if category.is_object() && random.chance(2) { json!("nan") } else { json!(code) })
        .collect();
    let mut known = json!({"categories": categories, "codes": codes});
    match random.below(3) {
        0 => known["unknown"] = json!(-1),
        1 => known["unknown"] = json!("nan"),
        _ => {}
    }
    step("ordinal", "ordinal", json!({"columns": [known]}))
}

fn one_hot(random: &mut Random, categories: &[Json], is_tolerant: bool) -> Json {
    let mut outputs: Vec<Option<usize>> = (0..categories.len()).map(Some).collect();
    let mut num_outputs = categories.len();
    if random.chance(3) {
        outputs = outputs.iter().map(|output| output.and_then(|output| output.checked_sub(1))).collect();
        num_outputs -= 1;
    } else if random.chance(3) {
        // Rare ones together.
        outputs = outputs.iter().map(|output| output.map(|output| output.min(1))).collect();
        num_outputs = 2;
    }
    let unknown = if random.chance(3) { Some(num_outputs - 1) } else { None };
    json!({"categories": categories, "outputs": outputs, "num_outputs": num_outputs,
           "refuse_unknown": !is_tolerant && random.chance(2), "unknown_output": unknown})
}
