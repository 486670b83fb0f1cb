//! Lists of configurations: what real enumerations tell proves that nothing else is worth more than they say.

use treeproof_search::{Enumeration, Wanted};

use super::*;

/// The regions of configurations.
fn regions(of: &treeproof_search::Problem, engine: &Enumeration) -> Vec<NarrowBox> {
    let everything = everything(of);
    let region = |number: usize| {
        let mut region = everything.clone();
        for (axis, cells) in engine.configuration(number).cells.iter().enumerate() {
            let ordered = of.axes[axis].ordered;
            region.axes[axis].keep(|cell| match cell.checked_sub(ordered) {
                None => cells.ordered.contains(&cell),
                Some(special) => cells.special.contains(&special),
            });
        }
        narrow(region)
    };
    (0..engine.num_certain()).map(region).collect()
}

fn narrow(region: Region) -> NarrowBox {
    NarrowBox { narrowed: (0..).zip(region.axes).collect() }
}

#[test]
fn a_list_leaves_out_nothing_that_is_worth_more() {
    let (mut num_listed, mut num_whole, mut num_caught) = (0, 0, 0);
    for index in 0..600 {
        let mut random = support::Random::of_problem(11, index);
        let mut of = support::random_problem(&mut random, support::Mode::Odd);
        of.cases.truncate(1);
        of.cases[0].channels.truncate(1);
        let written = Written::new(1);
        let wanted = Wanted { count: [1, 3, usize::MAX][index as usize % 3], ..Wanted::best(1) };
        let mut engine = Enumeration::new(&of, wanted);
        engine.set_journal(Box::new(written.clone()));
        let mut limits = Limits::default();
        limits.steps = (index % 4 == 0).then_some(index / 4);
        engine.run(&limits, &Steps(u64::MAX));
        engine.end_journal();
        let enough = (index % 2 == 0).then(|| engine.rest()).flatten();
        let log = written.log(enough);
        let mut own = problem(&of);
        own.listed = regions(&of, &engine);
        let proved = |own: &Problem| replay(own, &Constraints(&of), &log[..]).map(|(proved, _)| proved);
        let most = proved(&own).unwrap_or_else(|wrong| panic!("problem {index}: {wrong}"));
        let rest = engine.rest().unwrap_or(EMPTY);
        assert!(most <= rest, "problem {index}: {most} > {rest}");
        let mut all = Enumeration::new(&of, Wanted::best(usize::MAX));
        all.run(&Limits::default(), &Steps(u64::MAX));
        let next = all.num_certain() > own.listed.len();
        let next = if next { all.configuration(own.listed.len()).value } else { EMPTY };
        assert!(most >= next, "problem {index}: {most} < {next}, a wrong proof");
        (num_listed, num_whole) = (num_listed + own.listed.len(), num_whole + u64::from(most == EMPTY));
        // A list that has lost a region, or a cell of one, proves nothing.
        if let Some(last) = own.listed.pop() {
            let last = Region::new(last.narrowed.into_iter().map(|(_, cells)| cells).collect());
            // Where it is worth no more than the rest, it need not be listed.
            let is_rest = enough.is_some_and(|enough| engine.configuration(own.listed.len()).value <= enough);
            assert!(is_rest || proved(&own).is_err(), "problem {index}: a region is lost");
            let axis = (0..last.num_axes()).find(|axis| last.axis(*axis).cells().count() > 1);
            if let Some(axis) = axis.filter(|_| !is_rest) {
                let first = last.axis(axis).cells().next().unwrap();
                let mut less = last.clone();
                less.axes[axis].keep(|cell| cell != first);
                own.listed.push(narrow(less));
                assert!(proved(&own).is_err(), "problem {index}: a cell is lost");
                num_caught += 1;
            }
        }
    }
    assert!(num_listed > 1000 && num_whole > 50 && num_caught > 200, "{num_listed} {num_whole} {num_caught}");
}
