"use strict";
// Without this script everything is there to be read; with it, long tables can be sorted and searched.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  if (!body) continue;
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const text = (row, place) => (row.cells[place] ? row.cells[place].textContent.trim() : "");
  // What has no number comes last, whichever way numbers are sorted.
  const number = (row, place) => {
    const cell = row.cells[place];
    return cell && cell.dataset.v !== undefined ? Number(cell.dataset.v) : NaN;
  };
  const compare = (place, isNumber, sign) => (one, other) => {
    if (!isNumber) return sign * text(one, place).localeCompare(text(other, place), "en", { numeric: true });
    const [a, b] = [number(one, place), number(other, place)];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return sign * (a - b);
  };
  heads.forEach((head, place) => {
    if (body.rows[0] && body.rows[0].cells[place] && body.rows[0].cells[place].classList.contains("bar")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.append(button);
    button.addEventListener("click", () => {
      const isDown = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      rows.sort(compare(place, head.classList.contains("n"), isDown ? -1 : 1));
      body.append(...rows);
    });
  });
  const tools = document.querySelector(`form[data-for="${table.id}"]`);
  if (!tools) continue;
  tools.hidden = false;
  const { verdict, text: search } = tools.elements;
  const seen = tools.querySelector("output");
  const words = rows.map((row) => row.textContent.toLowerCase());
  const verdicts = rows.map((row) => {
    const badge = row.querySelector(".badge");
    return badge ? badge.lastChild.textContent.trim() : "";
  });
  const all = rows.map((row, place) => ({ row, word: words[place], verdict: verdicts[place] }));
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    const only = verdict ? verdict.value : "";
    let shown = 0;
    for (const one of all) {
      one.row.hidden = !(one.word.includes(wanted) && (only === "" || one.verdict === only));
      if (!one.row.hidden) shown += 1;
    }
    seen.textContent = `${shown} of ${all.length}`;
  };
  tools.addEventListener("input", filter);
  tools.addEventListener("submit", (event) => event.preventDefault());
}
