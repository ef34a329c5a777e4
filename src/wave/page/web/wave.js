// SPDX-License-Identifier: MIT OR Apache-2.0
// The wave: where one looks, the cursors, and the table of signals beside the canvas.

const LEAST_SCALE = 1e-4,
  MOST_SCALE = 240;

const wave = {
  view: { from: 0, scale: 1 },
  state: { cursor: 0, second: null, selected: tree[0], radix: 'hex', scroll: 0 },
  rows: [],
  painter: new Painter($('canvas')),
  /** Milliseconds of the last paints. */
  paints: [],
  /** Called with the cycle when the cursor moves. */
  listeners: [],

  /** Rows have changed: some were opened or closed, or the model's came or went. */
  list() {
    this.rows = visibleRows($('model').checked);
    if (!this.rows.includes(this.state.selected)) this.state.selected = parentOf.get(this.state.selected) ?? tree[0];
    const elements = this.rows.map((row) => this.element(row));
    $('rows').replaceChildren(...elements);
    this.values();
    this.draw();
  },

  element(row) {
    const opens = row.children.length > 0;
    const mark = opens ? (row.open ? '▾ ' : '▸ ') : '  ';
    row.cell = h('span', {
      role: 'gridcell',
      ondblclick: (event) => {
        event.stopPropagation();
        this.rowRadix();
      },
    });
    row.box = h(
      'div',
      {
        id: `row-${row.id}`,
        role: 'row',
        class: `row ${row.kind}`,
        'aria-level': row.level,
        'aria-expanded': opens ? String(row.open) : null,
        title: tooltip(row),
        onclick: () => this.select(row, (opens && row === this.state.selected) || row.level === 1),
        ondblclick: () => opens && row.level > 1 && this.toggle(row),
      },
      h('span', { role: 'rowheader' }, '  '.repeat(row.level - 1) + mark + row.label),
      row.cell,
    );
    return row.box;
  },

  /** The value column, and what is said of the cursor. */
  values() {
    const { cursor, selected, radix } = this.state;
    for (const row of this.rows) {
      const { text, wrong } = rowValue(row, cursor, radix);
      row.cell.textContent = text;
      row.cell.title = text;
      row.box.classList.toggle('wrong', !!wrong);
      row.box.classList.toggle('selected', row === selected);
      row.box.setAttribute('aria-selected', String(row === selected));
    }
    $('rows').setAttribute('aria-activedescendant', `row-${selected.id}`);
    this.tell();
  },

  tell() {
    const { cursor, second, selected } = this.state;
    const { text, wrong } = rowValue(selected, cursor, this.state.radix);
    const difference =
      second === null ? '' : `, cursor B at cycle ${second}, difference ${count(Math.abs(second - cursor), 'cycle')}`;
    $('cursors').textContent = `Cursor A at cycle ${cursor} of ${cycles}${difference}`;
    const model =
      wrong && selected.signal && selected.kind === 'signal'
        ? `, which is not what the model has: ${this.expectedText()}`
        : '';
    const name = selected.level === 1 ? selected.label : `${selected.group?.name ?? 'diff'} ${selected.label}`;
    $('live').textContent = `cycle ${cursor}, ${name}: ${text || 'nothing'}${model}`;
  },

  expectedText() {
    const { group, signal } = this.state.selected;
    return signalText(signal, signal.expected(group.at(this.state.cursor)), this.state.radix);
  },

  select(row, toggle) {
    this.state.selected = row;
    if (toggle && row.children.length) return this.toggle(row);
    this.values();
    this.draw();
  },

  toggle(row) {
    if (!row.children.length) return;
    row.open = !row.open;
    this.list();
  },

  /** Shows a row: opens what hides it, and scrolls to it. */
  show(row) {
    reveal(row);
    this.state.selected = row;
    this.list();
    this.scrollToSelected();
  },

  /** A row out of sight comes to the middle, or, a step away, to the edge. */
  scrollToSelected(step = Infinity) {
    const viewer = $('viewer'),
      top = this.rows.indexOf(this.state.selected) * ROW,
      room = viewer.clientHeight - AXIS - ROW;
    const away = top < viewer.scrollTop ? top - viewer.scrollTop : Math.max(0, top - viewer.scrollTop - room);
    if (away !== 0) viewer.scrollTop = Math.abs(away) <= step * ROW ? viewer.scrollTop + away : top - room / 2;
  },

  move(step) {
    const at = this.rows.indexOf(this.state.selected) + step;
    this.select(this.rows[Math.max(0, Math.min(this.rows.length - 1, at))]);
    this.scrollToSelected(Math.abs(step));
  },

  /** Puts the cursor in a cycle, and the cycle in sight. */
  go(cycle, center) {
    this.state.cursor = Math.max(0, Math.min(cycles - 1, Math.floor(cycle)));
    const { view } = this,
      width = this.painter.width / view.scale;
    if (center || this.state.cursor < view.from || this.state.cursor + 1 > view.from + width)
      this.look(this.state.cursor - width / 2, view.scale);
    this.values();
    this.draw();
    this.listeners.forEach((listener) => listener(this.state.cursor));
  },

  /** Where one looks: within the run, and some room beside it. */
  look(from, scale) {
    const least = Math.max(LEAST_SCALE, (0.9 * this.painter.width) / (cycles + 2));
    this.view.scale = Math.max(Math.min(least, MOST_SCALE), Math.min(MOST_SCALE, scale));
    const width = this.painter.width / this.view.scale;
    this.view.from = Math.max(-0.05 * width, Math.min(from, cycles - 0.9 * width));
    if (width >= cycles) this.view.from = -0.02 * width;
    this.draw();
  },

  /** Zooms so that what is at `x` stays there. */
  zoom(factor, x) {
    const { from, scale } = this.view;
    const cycle = from + x / scale;
    const next = Math.min(MOST_SCALE, scale * factor);
    this.look(cycle - x / next, next);
  },

  zoomAtCursor(factor) {
    const x = (this.state.cursor + 0.5 - this.view.from) * this.view.scale;
    this.zoom(factor, x >= 0 && x <= this.painter.width ? x : this.painter.width / 2);
  },

  fit() {
    this.look(0, this.painter.width / (cycles + 1));
  },

  divergence() {
    const wrong = data.mismatch;
    if (!wrong) {
      $('live').textContent = 'There is no divergence in this run.';
      return;
    }
    const row = rowsById.get(`${wrong.group}.${wrong.row}`) ?? rowsById.get('diff.mismatch');
    if (this.view.scale < 24) this.view.scale = 48;
    this.show(row);
    this.go(wrong.cycle, true);
  },

  /** Goes to the next cycle, or the one before, in which the selected row changes. */
  change(forward) {
    const { selected: row, cursor } = this.state;
    const found = row.kind === 'marks' ? markChange(row, cursor, forward) : transferChange(row, cursor, forward);
    if (found !== null) this.go(found);
    else $('live').textContent = `No ${forward ? 'later' : 'earlier'} change of ${row.label}.`;
  },

  setRadix(radix) {
    $('radix').value = this.state.radix = radix;
    rowsById.forEach((row) => {
      row.radix = null;
    });
    this.values();
    this.draw();
  },

  rowRadix() {
    const row = this.state.selected;
    row.radix = RADICES[(RADICES.indexOf(row.radix ?? this.state.radix) + 1) % RADICES.length];
    this.values();
    this.draw();
  },

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.paint());
  },

  paint() {
    this.waiting = false;
    const viewer = $('viewer'),
      begin = performance.now();
    this.painter.resize($('canvas').clientWidth, viewer.clientHeight);
    this.state.scroll = viewer.scrollTop;
    this.painter.paint(this.view, this.rows, this.state);
    this.paints.push(performance.now() - begin);
    if (this.paints.length > 1000) this.paints.shift();
  },
};

/** Of a group its rule, and what it does not show. */
function tooltip({ kind, group, label }) {
  if (kind !== 'group') return label;
  const zero = group.zero.length ? `\n0 throughout, and not shown: ${group.zero.join(', ')}` : '';
  return `${group.title}: ${data.clauses[group.clause] ?? ''}${zero}`;
}

function markChange(row, cursor, forward) {
  const edges = row.marks
    .flatMap((mark) => [mark.start, mark.end])
    .filter((edge) => edge < cycles)
    .sort((a, b) => a - b);
  return (forward ? edges.find((edge) => edge > cursor) : edges.findLast((edge) => edge < cursor)) ?? null;
}

/** A change is where a transfer begins that shows something else than the one before. */
function transferChange(row, cursor, forward) {
  const { start } = row.group,
    step = forward ? 1 : -1;
  let at = forward ? above(start, cursor) : above(start, cursor - 1) - 1;
  for (; at >= 0 && at < start.length; at += step) {
    if (at === 0 || !sameIn(row, at - 1, at)) return start[at];
  }
  return null;
}
