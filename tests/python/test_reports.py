"""Pages about answers, made by the real binary about real models, in a real browser."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import parity
import pytest
from browser import browser as launch
from browser import contrasts, lines, opened, overflow
from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
DEMO, EXAMPLES = ROOT / "crates/treeproof-cli/demo", ROOT / "docs/examples"
AA = 4.5

PATIENTS = ["--domain", "patients.csv.gz"]
QUESTIONS: dict[str, list[str]] = {
    "max": ["max", "progression-v1.json.gz", "--where", "bmi < 25", *PATIENTS],
    "range": ["range", "referral.json.gz", *PATIENTS],
    "robust": ["robust", "tumour.txt.gz", "tumours.csv.gz", "--norm", "linf", "--radius", "0.05", "--scale", "std:tumours.csv.gz", "--label", "benign"],
    "closest": ["closest", "referral.json.gz", "patients.csv.gz", "--norm", "l1", "--scale", "std:patients.csv.gz", "--rows", "40", "--time", "2s", *PATIENTS],
    "one": ["closest", "referral.json.gz", "patients.csv.gz", "--norm", "l0", "--rows", "1", *PATIENTS],
    "images": ["closest", "digits.ubj.gz", "digits.csv.gz", "--norm", "l0", "--rows", "5", "--domain", "digits.csv.gz"],
    "fair": ["fair", "referral.json.gz", "--protected", "sex", *PATIENTS],
    "fair-rows": ["fair", "referral.json.gz", "patients.csv.gz", "--protected", "sex", "--rows", "60", *PATIENTS],
    "monotone": ["monotone", "progression-v1.json.gz", *PATIENTS],
    "monotone-holds": ["monotone", "progression-v2.txt.gz", "--feature", "bmi", *PATIENTS],
    "stable": ["stable", "referral.json.gz", "--norm", "l0", "--radius", "1", *PATIENTS],
    "diff": ["diff", "progression-v1.json.gz", "progression-v2.txt.gz", *PATIENTS],
    "dominant": ["dominant", "referral.json.gz", "--baseline", "patients.csv.gz:0", "--vary", "*", "--at-most", "2", *PATIENTS],
    "ranking": ["dominant", "referral.json.gz", "--baseline", "patients.csv.gz:0", "--vary", "*", "--each", *PATIENTS],
    "enumerate": ["enumerate", "progression-v2.txt.gz", "--top", "15", *PATIENTS],
    "solve": ["solve", "raise.json"],
    "audit": ["audit", "loans.audit.toml"],
    "infeasible": ["max", "new.json", "--where", "age < 3", "--where", "age > 4"],
    "open": ["max", "digits.ubj.gz", "--class", "3", "--time", "20ms", "--threads", "1", "--method", "merge"],
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launch() as launched:
        yield launched


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where models and data are, and pages come to be."""
    folder = tmp_path_factory.mktemp("pages")
    for file in [*DEMO.glob("*.gz"), *EXAMPLES.iterdir()]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def asked(folder: Path, name: str) -> tuple[Path, dict[str, Any]]:
    """The page about an answer, and the answer."""
    page, answer = folder / f"{name}.html", folder / f"{name}.answer"
    if not page.exists():
        call = [*parity.command(), *QUESTIONS[name], "--json", "--report", page.name]
        result = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
        assert result.returncode in (0, 1, 3, 4), result.stderr
        answer.write_text(result.stdout)
    return page, json.loads(answer.read_text())


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_page_is_whole_and_readable_on_every_screen(browser: Browser, folder: Path, name: str) -> None:
    file, answer = asked(folder, name)
    for scheme in ("light", "dark"):
        for width in (1100, 380):
            with opened(browser, file, viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
                assert overflow(page) == 0, f"{scheme}, {width}"
                told = contrasts(page)
                assert len(told) > 10 and min(told)[0] >= AA, f"{scheme}, {width}: {min(told)}"
    with opened(browser, file) as page:
        headings = [int(tag[1]) for tag in page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map((h) => h.tagName)")]
        assert headings[0] == 1 and headings.count(1) == 1 and all(b <= a + 1 for a, b in zip(headings, headings[1:]))
        assert page.title().endswith("– treeproof") and page.locator("html").get_attribute("lang") == "en"
        assert page.locator("main").count() == 1
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        assert len(ids) == len(set(ids))
        named = page.evaluate("""[...document.querySelectorAll('[aria-labelledby]')].flatMap((e) => e.getAttribute('aria-labelledby').split(' '))""")
        assert set(named) <= set(ids)
        assert page.locator("svg:not([aria-hidden]):not([role=img])").count() == 0
        assert page.locator("svg[role=img]:not(:has(title)), svg[role=img]:not(:has(desc))").count() == 0
        assert page.locator("table:not(:has(caption)), th:not([scope])").count() == 0
        assert page.locator("form :is(input, select):not(label *)").count() == 0
        assert page.get_by_text(answer["about"]["command"]).count() == 1
        for model in answer["about"]["models"]:
            assert model["sha256"] in page.content()
        assert page.pdf(format="A4").startswith(b"%PDF")
    with opened(browser, file, java_script_enabled=False) as page:
        assert page.locator("form:visible").count() == 0
        assert page.locator(".sentence").first.is_visible() and page.locator(".proved").first.is_visible()
        rows = page.locator("section.answer > div.table tbody tr")
        assert all(rows.nth(place).is_visible() for place in range(min(rows.count(), 50)))


def near(found: list[tuple[float, float]], wanted: list[tuple[float, float]]) -> None:
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted):
        assert one == pytest.approx(other, rel=1e-3, abs=1e-3 * max(1.0, abs(wanted[-1][1]), wanted[-1][0])), (found, wanted)


def test_bounds_over_time_are_those_of_the_trace(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "diff")
    points = answer["about"]["trace"][0]["points"] + [[answer["seconds"], answer["lower"], answer["upper"]]]
    with opened(browser, file) as page:
        at_most, at_least = lines(page, "Bounds over time")
        near(at_most, [(seconds, upper) for seconds, _, upper in points if upper is not None])
        near(at_least, [(seconds, lower) for seconds, lower, _ in points if lower is not None])
        assert page.locator("figure.plot .legend").inner_text().split() == ["at", "most", "at", "least"]


def test_the_robustness_curve_is_that_of_the_rows(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "closest")
    ends = sorted({end for row in answer["rows"] for end in (row["lower"], row["upper"]) if end})
    count = len(answer["rows"])
    with opened(browser, file) as page:
        certified = lines(page, "Share of rows")[0]
    assert certified[0][0] == 0 and len(certified) == len(ends) + 2
    for radius, share in certified[:-1]:
        # A coordinate is rounded, so that the row whose distance the radius is may count or not.
        proved = [sum(row["lower"] > radius + way for row in answer["rows"]) / count for way in (2e-3, -2e-3)]
        assert min(proved) - 1e-3 <= share <= max(proved) + 1e-3


def column(page: Any, place: int) -> list[str]:
    cells = page.locator(f"table[data-sortable] tbody tr:not([hidden]) > :nth-child({place + 1})")
    return [text.strip() for text in cells.all_inner_texts()]


def test_rows_are_sorted_as_numbers_and_as_texts(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "closest")
    with opened(browser, file) as page:
        assert column(page, 0) == [str(row["row"]) for row in answer["rows"]]
        header = page.locator("table[data-sortable] thead th")
        distance, changes = header.nth(2), header.last
        assert distance.get_attribute("aria-sort") is None
        distance.locator("button").focus()
        page.keyboard.press("Enter")
        assert distance.get_attribute("aria-sort") == "ascending"
        by = {str(row["row"]): row["upper"] for row in answer["rows"]}
        assert [by[row] for row in column(page, 0)] == sorted(by.values())
        page.keyboard.press("Space")
        assert distance.get_attribute("aria-sort") == "descending"
        assert [by[row] for row in column(page, 0)] == sorted(by.values(), reverse=True)
        changes.locator("button").click()
        assert distance.get_attribute("aria-sort") is None and changes.get_attribute("aria-sort") == "ascending"
        first = [text.split(" ")[0] for text in column(page, 5)]
        assert first == sorted(first)


def test_rows_are_filtered_by_verdict_and_text(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "robust")
    violated = [row for row in answer["rows"] if row["verdict"] == "violated"]
    assert 0 < len(violated) < len(answer["rows"])
    with opened(browser, file) as page:
        assert column(page, 0)[: len(violated)] == [str(row["row"]) for row in sorted(violated, key=lambda row: row["upper"])]
        page.get_by_label("Verdict").select_option("changed")
        assert sorted(column(page, 0), key=int) == [str(row["row"]) for row in violated]
        assert page.locator("form output").inner_text() == f"{len(violated)} of {len(answer['rows'])}"
        name = violated[0]["changed"][0]["feature"]
        page.get_by_label("Search").fill(name.upper())
        told = [row for row in violated if name in [one["feature"] for one in row["changed"][:5]]]
        assert sorted(column(page, 0), key=int) == [str(row["row"]) for row in told]
        page.get_by_label("Search").fill("no such text")
        assert column(page, 0) == []


def test_images_stand_beside_each_other_with_what_changed(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "images")
    nearest = sorted(answer["rows"], key=lambda row: row["upper"])
    with opened(browser, file) as page:
        strips = page.locator("figure.strip")
        assert strips.count() == len(nearest)
        for place, row in enumerate(nearest):
            images = strips.nth(place).locator("svg")
            assert images.count() == 3 and images.first.get_attribute("viewBox") == "0 0 8 8"
            texts = strips.nth(place).locator(".image span").all_inner_texts()
            assert texts[:2] == [f"row {row['row']}: label {row['label']}", f"found: label {row['witness_label']}"]
            pixels = images.last.locator("rect[width='1']")
            drawn = {(int(pixel.get_attribute("x")), int(pixel.get_attribute("y"))) for pixel in pixels.all()}
            changed = [one["feature"].split("_")[1:] for one in row["changed"]]
            assert drawn == {(int(right), int(down)) for down, right in changed}
            rose = sum(one["to"] > one["from"] for one in row["changed"])
            assert f"{rose} rose, {len(changed) - rose} fell" in images.last.locator("desc").text_content()


def test_a_row_stands_beside_what_was_found(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "one")
    (row,) = answer["rows"]
    with opened(browser, file) as page:
        marked = page.locator("tbody.changed tr:not(.heading)")
        shown = [line.locator("th, td").all_inner_texts()[:3] for line in marked.all()]
    changed = {(one["feature"], one["from"], one["to"]) for one in row["changed"]}
    assert {(name, float(old), float(new)) for name, old, new in shown} == changed and len(shown) == len(changed)


def test_pairs_have_what_differs_on_top(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "fair")
    with opened(browser, file) as page:
        table = page.locator("table", has=page.locator("tbody.changed"))
        assert table.locator("thead th").all_inner_texts()[:3] == ["feature", "a", "b"]
        first = table.locator("tbody").first.locator("tr").nth(1).locator("th, td").all_inner_texts()
    assert first[:3] == ["sex", *(f"{answer['witness'][side]['sex']:g}" for side in "ab")]


def test_bars_rank_attributes(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "ranking")
    with opened(browser, file) as page:
        bars = page.locator("td.bar .found")
        widths = [bar.bounding_box()["width"] for bar in bars.all()]
        assert page.locator("tbody th[scope=row]").all_inner_texts()[: len(widths)] == [one["attribute"] for one in answer["attributes"]]
    effects = [one["lower"] for one in answer["attributes"]]
    assert widths[0] > 50 and [width / widths[0] for width in widths] == pytest.approx([effect / effects[0] for effect in effects], abs=0.02)


def test_an_audit_links_to_its_checks(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "audit")
    with opened(browser, file) as page:
        links = page.locator("table th[scope=row] a")
        assert links.all_inner_texts() == [check["name"] for check in answer["checks"]]
        outcomes = page.locator("table:has(th a) tbody .badge").all_inner_texts()
        assert [text.split(" ")[-1] for text in outcomes] == [check["outcome"] for check in answer["checks"]]
        links.nth(1).click()
        heading = page.get_by_role("heading", name=answer["checks"][1]["name"])
        assert page.url.endswith("#a1-2") and heading.bounding_box()["y"] < 200


def test_a_limit_is_told_as_one(browser: Browser, folder: Path) -> None:
    file, answer = asked(folder, "open")
    assert answer["verdict"] == "undecided"
    with opened(browser, file) as page:
        assert page.locator(".badge").first.inner_text() == "? undecided"
        assert "the time was up" in page.locator(".no").inner_text()
        assert "proved." not in page.locator(".sentence").inner_text()


def test_strange_names_are_only_names(browser: Browser, folder: Path) -> None:
    names = ["</script><script>document.title='x'</script>", "\"><img src=x onerror=document.title='x'>", "ab\u202e<b>"]
    model = json.loads((EXAMPLES / "new.json").read_text())
    for feature, name in zip(model["features"], names):
        feature["name"] = name
    (folder / "strange.json").write_text(json.dumps(model))
    call = [*parity.command(), "range", "strange.json", "--report", "strange.html"]
    subprocess.run(call, cwd=folder, capture_output=True, check=True)
    with opened(browser, folder / "strange.html") as page:
        shown = page.locator("tbody th[scope=row]").all_inner_texts()
        assert {names[0], names[1], "ab\ufffd<b>"} <= set(shown)
        assert page.locator("img, main b, main script").count() == 0 and page.title().startswith("Between")


def test_ten_thousand_rows_open_at_once(browser: Browser, folder: Path) -> None:
    rows = [
        {"row": row, "verdict": "violated" if row % 100 == 3 else "holds", "lower": 0.1 + row, "upper": 0.1 + row, "label": row % 3,
         "changed": [{"feature": f"feature {place}", "from": 0.5, "to": row} for place in range(10)]}
        for row in range(10_000)
    ]
    answer = {"question": "closest", "verdict": "optimal", "unit": "distance", "norm": "l1", "rows": rows, "summary": {"rows": 10_000}}
    (folder / "many.json").write_text(json.dumps(answer))
    subprocess.run([*parity.command(), "report", "many.json", "-o", "many.html"], cwd=folder, check=True)
    assert (folder / "many.html").stat().st_size < 1_500_000
    with opened(browser, folder / "many.html") as page:
        assert page.evaluate("performance.timing.domComplete - performance.timing.fetchStart") < 10_000
        assert page.locator("table[data-sortable] tbody tr").count() == 2000
        assert "2,000 of 10,000 rows" in page.locator(".more").all_inner_texts()[-1]
        page.locator("thead button").first.click()
        page.get_by_label("Search").fill("row 1")
        assert page.locator("form output").inner_text() == "0 of 2000"
        page.get_by_label("Search").fill("")
        page.emulate_media(media="print")
        assert page.locator("table[data-sortable] tbody tr:visible").count() == 200 and page.locator("p.print").is_visible()
