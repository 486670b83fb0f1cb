//! Laws of the language, on random conditions and rows: text reads back to the same tree, and a resolved constraint holds
//! where the condition does by a second, naive reading of it.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes};

use super::naive::Naive;
use crate::expression::*;
use crate::{Assignment, Groups, Inputs, ReadRow, Resolved, Vocabulary};

/// Numeric features, among them three columns of a group, and one with categories.
pub(crate) const FEATURES: [&str; 7] = ["x", "y", "z", "w_0", "w_1", "w_2", "colour"];
pub(crate) const COLOURS: [&str; 3] = ["red", "blue", "dark green"];

pub(crate) fn model() -> Ensemble {
    let features: Vec<String> =
        FEATURES[..6].iter().map(|name| format!(r#"{{"name":"{name}","kind":"numeric"}}"#)).collect();
    let model = format!(
        r#"{{"treeproof": 1, "source": {{"format": "treeproof JSON"}},
        "features": [{}, {{"name": "colour", "kind": "category", "encoding": {{"rule": "lightgbm"}}, "names": {COLOURS:?}}}],
        "input": {{"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"}},
        "num_outputs": 1,
        "aggregate": {{"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true}},
        "link": {{"function": "identity"}}, "label": {{"rule": "none"}}, "classes": [],
        "trees": [{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                   "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}}]}}"#,
        features.join(", ")
    );
    load_bytes(model.as_bytes(), &LoadOptions::default()).unwrap()
}

pub(crate) fn groups(model: &Ensemble) -> Groups {
    Groups::new(model, [("w", &["w_*"][..])]).unwrap()
}

const AT: Position = Position(0);

fn number(text: &str) -> WrittenValue {
    WrittenValue { text: text.to_owned(), number: Some(text.parse().unwrap()), at: AT }
}

fn numbers() -> impl Strategy<Value = WrittenValue> {
    select(vec!["0", "1", "2", "-1", "3", "0.5", "0.1", "-0.3", "1e300", "007", "5e-324"]).prop_map(number)
}

fn plain(name: &str) -> FeatureName {
    FeatureName { text: name.to_owned(), at: AT, quoting: Quoting::Plain }
}

fn text(text: &str) -> WrittenValue {
    WrittenValue { text: text.to_owned(), number: None, at: AT }
}

/// What a kind of conditions is about.
#[derive(Clone, Debug)]
struct Words {
    numeric: BoxedStrategy<FeatureName>,
    category: BoxedStrategy<FeatureName>,
    /// Names in statements that compare inputs.
    bare: BoxedStrategy<NamePattern>,
    names: BoxedStrategy<NamePattern>,
    has_reference: bool,
}

fn words(inputs: Inputs, with_sides: bool) -> Words {
    let prefixes = if with_sides { vec!["a.", "b."] } else { vec![""] };
    let sided = move |names: &'static [&'static str]| {
        (select(prefixes.clone()), select(names)).prop_map(|(prefix, name)| format!("{prefix}{name}"))
    };
    let like = |pattern: String| NamePattern::Like { pattern, at: AT };
    let one = |name: String| NamePattern::One(plain(&name));
    let names = prop_oneof![3 => sided(&FEATURES[..6]).prop_map(one), 1 => sided(&["w_*", "?"]).prop_map(like)];
    let bare = prop_oneof![
        select(&FEATURES[..]).prop_map(move |name| one(name.to_owned())),
        Just(one("w".to_owned())),
        Just(like("w_*".to_owned()))
    ];
    Words {
        numeric: sided(&FEATURES[..6]).prop_map(|name| plain(&name)).boxed(),
        category: sided(&["colour"]).prop_map(|name| plain(&name)).boxed(),
        bare: bare.boxed(),
        names: names.boxed(),
        has_reference: inputs != Inputs::One,
    }
}

/// Names that models can have and people must quote.
fn strange_words() -> Words {
    let quoting = select(vec![Quoting::Backquotes, Quoting::BackquotesOf(Side::A), Quoting::BackquotesOf(Side::B)]);
    let quoted = (select(vec!["and", "my age", "f0", "w*?", "'", "\"", "é§", "", "3"]), quoting)
        .prop_map(|(text, quoting)| FeatureName { text: text.to_owned(), at: AT, quoting });
    let name =
        prop_oneof![quoted, select(vec!["x", "a.x", "é_1", "f0", "a.", "abs", "missing"]).prop_map(plain)].boxed();
    let pattern = select(vec!["w_*", "*", "?x", "my *", "2*", "it's*", "plain", "and*", "a.w*2b"]);
    let like = pattern.prop_map(|pattern| NamePattern::Like { pattern: pattern.to_owned(), at: AT });
    let names = prop_oneof![name.clone().prop_map(NamePattern::One), like].boxed();
    Words { numeric: name.clone(), category: name, bare: names.clone(), names, has_reference: true }
}

/// Arithmetic that names a feature, and is linear.
fn arithmetic(words: &Words) -> BoxedStrategy<Arithmetic> {
    let leaf = prop_oneof![
        4 => words.numeric.clone().prop_map(Arithmetic::Name),
        1 => numbers().prop_map(Arithmetic::Value)
    ];
    let plus = || select(vec![Operator::Plus, Operator::Minus]);
    let nonzero = || numbers().prop_filter("not zero", |number| number.number != Some(0.0)).prop_map(Arithmetic::Value);
    leaf.prop_recursive(3, 8, 3, move |inner| {
        prop_oneof![
            inner.clone().prop_map(|of| Arithmetic::Abs(Box::new(of), AT)),
            inner.clone().prop_map(|of| Arithmetic::Negative(Box::new(of))),
            (inner.clone(), vec((plus(), inner.clone()), 1..3))
                .prop_map(|(first, rest)| Arithmetic::Operation { first: Box::new(first), rest }),
            (numbers(), inner.clone()).prop_map(|(factor, of)| Arithmetic::Operation {
                first: Box::new(Arithmetic::Value(factor)),
                rest: vec![(Operator::Times, of)],
            }),
            (inner, nonzero()).prop_map(|(of, divisor)| Arithmetic::Operation {
                first: Box::new(of),
                rest: vec![(Operator::Over, divisor)],
            }),
        ]
    })
    .boxed()
}

fn atoms(words: &Words) -> BoxedStrategy<Formula> {
    let sums = arithmetic(words);
    let signs = || select(vec![Sign::Below, Sign::AtMost, Sign::Above, Sign::AtLeast, Sign::Equal, Sign::NotEqual]);
    let comparison = (sums.clone(), signs(), sums.clone())
        .prop_map(|(first, sign, right)| Formula::Comparison { first, rest: vec![(sign, right)] });
    let up = || select(vec![Sign::Below, Sign::AtMost, Sign::Equal]);
    let chain = (sums.clone(), vec((up(), sums), 2..4)).prop_map(|(first, rest)| Formula::Comparison { first, rest });
    let equal = select(vec![Sign::Equal, Sign::NotEqual]);
    let colour = (words.category.clone(), equal, select(&COLOURS[..])).prop_map(|(name, sign, colour)| {
        Formula::Comparison { first: Arithmetic::Name(name), rest: vec![(sign, Arithmetic::Value(text(colour)))] }
    });
    let set = |name: BoxedStrategy<FeatureName>, value: BoxedStrategy<WrittenValue>| {
        (name, any::<bool>(), vec(value, 1..4)).prop_map(|(name, is_negated, values)| Formula::Membership {
            name,
            is_negated,
            values,
        })
    };
    let colours = select(&COLOURS[..]).prop_map(text).boxed();
    let property = prop_oneof![
        Just(Property::OneHot),
        (0_usize..4).prop_map(Property::AtMost),
        (0_usize..4).prop_map(Property::AtLeast),
        (0_usize..4).prop_map(Property::Exactly),
        Just(Property::Integer),
        select(vec!["0.1", "0.5", "3"]).prop_map(|step| Property::Step(number(step))),
        Just(Property::Missing),
    ];
    let statement = |property: BoxedStrategy<Property>, names: &BoxedStrategy<NamePattern>| {
        (property, vec(names.clone(), 1..3)).prop_map(|(property, names)| Formula::Statement {
            property,
            names,
            at: AT,
        })
    };
    let relative = select(vec![Property::Fixed, Property::OnlyIncrease, Property::OnlyDecrease]).boxed();
    let changed = (vec(words.bare.clone(), 0..3), signs(), numbers()).prop_map(|(names, sign, number)| {
        let changed = Arithmetic::Changed { names, at: AT };
        Formula::Comparison { first: Arithmetic::Value(number), rest: vec![(sign, changed)] }
    });
    let absolute = prop_oneof![
        4 => comparison,
        1 => chain,
        2 => colour,
        2 => set(words.numeric.clone(), numbers().boxed()),
        2 => set(words.category.clone(), colours),
        4 => statement(property.boxed(), &words.names),
    ];
    match words.has_reference {
        false => absolute.boxed(),
        true => prop_oneof![3 => absolute, 1 => statement(relative, &words.bare), 1 => changed].boxed(),
    }
}

fn formulas(words: &Words) -> BoxedStrategy<Formula> {
    let boxed = |formula: Formula| Box::new(formula);
    atoms(words)
        .prop_recursive(3, 10, 3, move |inner| {
            prop_oneof![
                vec(inner.clone(), 2..4).prop_map(Formula::And),
                vec(inner.clone(), 2..4).prop_map(Formula::Or),
                inner.clone().prop_map(move |of| Formula::Not(boxed(of))),
                (inner.clone(), inner).prop_map(move |(left, right)| Formula::Implies(boxed(left), boxed(right))),
            ]
        })
        .boxed()
}

fn rows() -> impl Strategy<Value = Vec<f64>> {
    let raw = select(vec![0.0, 0.0, 1.0, 1.0, 2.0, -1.0, -0.0, 0.5, 0.1, 0.3, 1e300, 5e-324, f64::NAN]);
    let colour = select(vec![0.0, 1.0, 1.5, 2.0, -1.0, -2.0, f64::NAN]);
    (vec(raw, 6), colour).prop_map(|(mut row, colour)| {
        row.push(colour);
        row
    })
}

fn cases() -> impl Strategy<Value = (Inputs, Formula, Vec<String>)> {
    let shapes = vec![(Inputs::One, false), (Inputs::WithReference, false), (Inputs::Two, false), (Inputs::Two, true)];
    select(shapes).prop_flat_map(|(inputs, with_sides)| {
        let permitted = proptest::sample::subsequence(FEATURES.map(str::to_owned).to_vec(), 0..3);
        (Just(inputs), formulas(&words(inputs, with_sides)), permitted)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn text_reads_back_to_the_same_tree(formula in formulas(&strange_words())) {
        let text = formula.to_string();
        prop_assert_eq!(Condition::parse(&text).map(|condition| condition.formula), Ok(formula), "{}", text);
    }

    #[test]
    fn constraints_hold_where_conditions_do(
        (inputs, formula, permitted) in cases(),
        rows in vec((rows(), rows()), 8),
    ) {
        let model = model();
        let groups = groups(&model);
        let vocabulary = Vocabulary::new(&model, &groups, inputs);
        let mut conditions = vec![Condition { text: formula.to_string(), formula: formula.clone() }];
        conditions.extend(permitted.iter().map(|name| Condition::parse(&format!("maybemissing({name})")).unwrap()));
        // Comparisons of numbers alone and abs within abs are refused.
        let resolved = Resolved::new(&conditions, &vocabulary);
        prop_assume!(resolved.is_ok());
        let constraint = resolved.unwrap().constraint();
        for (first, second) in &rows {
            let (a, b) = (ReadRow::new(&model, first).unwrap(), ReadRow::new(&model, second).unwrap());
            let point = match inputs {
                Inputs::One => Assignment::One { input: &b, reference: None },
                Inputs::WithReference => Assignment::One { input: &b, reference: Some(&a) },
                Inputs::Two => Assignment::Two { a: &a, b: &b },
            };
            let naive = Naive { first, second, inputs, permitted: &permitted, side: 'b' };
            let expected = naive.truth(&formula, true)
                && (inputs != Inputs::Two || Naive { side: 'a', ..naive }.truth(&formula, true));
            prop_assert_eq!(constraint.holds(point), expected, "{} for {:?} and {:?}", formula, first, second);
        }
    }

    #[test]
    fn nothing_panics(text in "[ a-c0-9.<>=!(){},*+/'`-]{0,30}|(x|y|[0-9]|and|or|not|in|\\(|\\)|<|==|[+*-]| |abs\\(|missing\\()*") {
        let model = model();
        let groups = groups(&model);
        if let Ok(condition) = Condition::parse(&text) {
            let _ = Resolved::new(&[condition], &Vocabulary::new(&model, &groups, Inputs::Two));
        }
    }
}
