// SPDX-License-Identifier: GPL-2.0-or-later
// The page is whole without this: it adds a filter to the table of boards.
"use strict";
for (const box of document.querySelectorAll("[data-filters]")) {
  const rows = document.querySelectorAll(`#${box.dataset.filters} tbody tr`);
  const count = box.querySelector("output");
  const input = box.querySelector("input");
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = `${shown} of ${rows.length} shown`;
  };
  input.addEventListener("input", filter);
  box.hidden = false;
  filter();
}
