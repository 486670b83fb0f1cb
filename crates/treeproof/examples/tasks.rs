use std::collections::HashMap;
use treeproof::compile::{Domain, Objective, compile};
use treeproof_ensemble::load::{LoadOptions, load_path};
use treeproof_search::Search;
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bench = std::path::Path::new(&args[1]);
    let name = &args[2];
    let limit: f64 = args.get(3).map_or(5.0, |v| v.parse().unwrap());
    let tasks = std::fs::read_to_string(bench.join("tasks").join(format!("{name}.jsonl"))).unwrap();
    let rivals = std::fs::read_to_string(bench.join("rivals").join(format!("{name}.jsonl"))).unwrap();
    let mut best: HashMap<(String, i64), (bool, f64, f64, f64)> = HashMap::new();
    for line in rivals.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        let key = (v["model"].as_str().unwrap().to_string(), v["task"].as_i64().unwrap());
        let e = best.entry(key).or_insert((false, f64::NEG_INFINITY, f64::INFINITY, 5.0));
        let opt = v["opt"].as_bool().unwrap();
        if opt {
            e.0 = true;
            e.3 = e.3.min(v["time"].as_f64().unwrap());
        }
        e.1 = e.1.max(v["lo"].as_f64().unwrap_or(f64::NEG_INFINITY));
        e.2 = e.2.min(v["hi"].as_f64().unwrap_or(f64::INFINITY));
    }
    let (mut exact, mut log_ratio, mut n_ratio) = (0, 0.0, 0);
    for line in tasks.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        let model = v["model"].as_str().unwrap();
        let task = v["task"].as_i64().unwrap();
        let ensemble = load_path(&bench.join("models").join(format!("{model}.gz")), &LoadOptions::default()).unwrap();
        let domains: Vec<Domain> = v["box"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| Domain::Numbers {
                low: b[0].as_f64().unwrap(),
                high: f64::from((b[1].as_f64().unwrap() as f32).next_down()),
                missing: false,
            })
            .collect();
        let t = cpu();
        let compiled = compile(&ensemble, &domains, Objective { output: 0, negated: false }).unwrap();
        let mut search = Search::new(&compiled.problem);
        let setup = (cpu() - t);
        while search.step() {
            if search.steps() % 64 == 0 && (cpu() - t) > limit {
                break;
            }
        }
        let time = (cpu() - t);
        let done = search.is_done();
        let (lo, hi) = (search.lower().map(|v| compiled.upper(v)), search.upper().map(|v| compiled.upper(v)));
        let r = best[&(model.to_string(), task)];
        let row = compiled.row(search.solution().unwrap());
        let out = ensemble.evaluate(&row).unwrap().margins[0].library;
        exact += usize::from(done);
        let bad = (done && r.0 && (hi.unwrap() - r.2).abs() > 1e-4)
            || hi.unwrap() < r.1 - 1e-4
            || lo.unwrap() > r.2 + 1e-4
            || (out - lo.unwrap()).abs() > 1e-4;
        let worse = hi.unwrap() > r.2 + 1e-5 * r.2.abs().max(1.0) || lo.unwrap() < r.1 - 1e-5 * r.1.abs().max(1.0);
        if r.0 && r.3 > 0.05 {
            log_ratio += (r.3 / if done { time } else { 5.0 }).ln();
            n_ratio += 1;
        }
        println!(
            "{model} {task} reach {:.2} {} time {time:.4} setup {setup:.4} steps {} lo {:.5} hi {:.5} rival {:?} {}{}",
            v["reach"].as_f64().unwrap(),
            if done { "EXACT" } else { "open " },
            search.steps(),
            lo.unwrap(),
            hi.unwrap(),
            r,
            if bad { "BAD" } else { "" },
            if worse { "WORSE" } else { "" }
        );
    }
    println!("{name}: exact {exact}, geometric ratio {:.1} over {n_ratio}", (log_ratio / n_ratio as f64).exp());
}
