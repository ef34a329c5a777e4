// SPDX-License-Identifier: MIT OR Apache-2.0
// Draws what is in sight. Transfers are found by halving, and a column of pixels is drawn once however many lie in it.

class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d', { alpha: false });
    this.colours = palette();
  }

  /** Room in pixels of the page. */
  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    if (this.width === width && this.height === height && this.ratio === ratio) return;
    Object.assign(this, { width, height, ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
  }

  /** `view` has `from`, the cycle at the left edge, and `scale`, pixels a cycle. */
  paint(view, rows, state) {
    const { context: c, colours } = this;
    Object.assign(this, view);
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = colours.back;
    c.fillRect(0, 0, this.width, this.height);
    c.font = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
    c.textBaseline = 'middle';
    this.to = this.from + this.width / this.scale;
    const first = Math.max(0, Math.floor(state.scroll / ROW));
    const last = Math.min(rows.length, Math.ceil((state.scroll + this.height - AXIS) / ROW));
    this.columns = 0;
    for (let at = first; at < last; at++) {
      const top = AXIS + at * ROW - state.scroll;
      if (rows[at] === state.selected) this.fill(colours.select, 0, top, this.width, ROW);
      else if (rows[at].level === 1) this.fill(colours.panel, 0, top, this.width, ROW);
    }
    this.marks(state);
    for (let at = first; at < last; at++) {
      const row = rows[at],
        top = AXIS + at * ROW - state.scroll;
      if (row.kind === 'marks') this.segments(row, top);
      else if (row.kind === 'valid' || row.kind === 'ready') this.level(row, top);
      else this.bus(row, top, state.radix);
    }
    this.axis();
    this.cursor(state.second, colours.model, 'B');
    this.cursor(state.cursor, colours.accent, 'A');
  }

  x(cycle) {
    return (cycle - this.from) * this.scale;
  }

  fill(colour, x, y, width, height) {
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
  }

  /** The divergence: a band over all rows, wide enough to be seen. */
  marks() {
    const wrong = data.mismatch;
    if (!wrong) return;
    this.fill(this.colours.wrongBack, this.x(wrong.cycle), AXIS, Math.max(2, this.scale), this.height);
    this.fill(this.colours.wrong, Math.round(this.x(wrong.cycle)), AXIS, 2, this.height);
  }

  segments(row, top) {
    for (const { start, end, text, wrong } of row.marks) {
      if (end <= this.from || start >= this.to) continue;
      const x = Math.max(0, this.x(start)),
        width = Math.max(2, Math.min(this.width, this.x(end)) - x);
      this.fill(wrong ? this.colours.wrong : this.colours.accent, x, top + 4, width, ROW - 8);
      if (width > 30) this.text(text, x + 4, top, width - 6, this.colours.back);
    }
  }

  /**
   * Calls `wide` for each transfer in sight that is wider than a pixel, and `narrow` once for each column of pixels that
   * has narrower ones.
   */
  each(group, wide, narrow) {
    const { start, end } = group;
    let at = Math.max(0, above(end, this.from));
    while (at < start.length && start[at] < this.to) {
      this.columns++;
      const x = this.x(start[at]);
      if ((end[at] - start[at]) * this.scale >= 1.5) {
        wide(at, x, this.x(end[at]));
        at++;
      } else {
        const column = Math.floor(x);
        narrow(at, column);
        // The next that begins in another column.
        at = Math.max(at + 1, above(start, this.from + (column + 1) / this.scale - 1e-9));
      }
    }
  }

  level(row, top) {
    const { group } = row;
    const high = top + 4;
    const low = top + ROW - 5;
    const ready = row.kind === 'ready';
    const colour = this.colours.unit;
    // Where nothing is offered valid is low, and of ready nothing is known.
    let end = 0;
    const idle = (until) => {
      if (!ready && until > end) this.fill(colour, end, low, until - end, 1);
      for (let x = end; ready && x < until; x += 5) this.fill(this.colours.idle, x, low, 1, 1);
    };
    const box = (from, to) => {
      this.fill(colour, from, high, Math.max(1, to - from), 1);
      this.fill(colour, from, high, 1, low - high + 1);
      this.fill(colour, to - 1, high, 1, low - high + 1);
    };
    this.each(
      group,
      (at, x0, x1) => {
        idle(Math.min(x0, this.width));
        end = x1;
        if (!ready) return box(x0, x1);
        const taken = group.taken[at] ? x1 - this.scale : x1;
        if (taken > x0) this.fill(colour, x0, low, taken - x0, 1);
        if (group.taken[at]) box(taken, x1);
      },
      (at, x) => {
        idle(x);
        end = x + 1;
        this.fill(colour, x, high, 1, low - high + 1);
      },
    );
    idle(this.width);
  }

  bus(row, top, radix) {
    const { group } = row,
      high = top + 3,
      low = top + ROW - 4;
    const colour =
      row.kind === 'model'
        ? this.colours.model
        : row.kind === 'signal' || row.kind === 'part'
          ? this.colours.unit
          : this.colours.muted;
    this.fill(this.colours.line, 0, top + ROW / 2, this.width, 1);
    const wrong = row.signal ? row.signal.wrong : [];
    this.each(
      group,
      (at, x0, x1) => {
        const value = x1 - x0 > 12 ? rowText(row, at, radix) : { text: '' };
        const differs =
          wrong.length > 0 &&
          wrong[above(wrong, at) - 1] === at &&
          (row.kind !== 'part' || rowText(row, at, radix).wrong);
        if (row.kind === 'model' && row.signal.expected(at) === null) return;
        this.hexagon(x0, x1, high, low, differs ? this.colours.wrong : colour, differs, !group.taken[at]);
        if (value.text)
          this.text(value.text, x0 + 5, top, x1 - x0 - 8, differs ? this.colours.wrong : this.colours.text);
      },
      (at, x) => this.fill(colour, x, high, 1, low - high),
    );
    // What differs must be seen, however small it is.
    for (let next = 0; next < wrong.length; next++) {
      const at = wrong[next],
        x = this.x(group.start[at]);
      if (x > this.width) break;
      if (x >= -2 && (group.end[at] - group.start[at]) * this.scale < 1.5)
        this.fill(this.colours.wrong, Math.floor(x) - 1, high - 2, 3, low - high + 4);
    }
  }

  hexagon(x0, x1, high, low, colour, filled, dashed) {
    const c = this.context,
      middle = (high + low) / 2,
      slope = Math.min(4, (x1 - x0) / 3);
    const left = Math.max(-9, x0 + 0.5),
      right = Math.min(this.width + 9, x1 - 0.5);
    c.beginPath();
    c.moveTo(left, middle);
    c.lineTo(left + slope, high + 0.5);
    c.lineTo(right - slope, high + 0.5);
    c.lineTo(right, middle);
    c.lineTo(right - slope, low + 0.5);
    c.lineTo(left + slope, low + 0.5);
    c.closePath();
    c.fillStyle = filled ? this.colours.wrongBack : this.colours.back;
    c.fill();
    c.strokeStyle = colour;
    c.setLineDash(dashed ? [3, 2] : []);
    c.stroke();
    c.setLineDash([]);
  }

  /** As much of a text as there is room for; in sight though it begins left of it. */
  text(text, x, top, room, colour) {
    if (x < 3) {
      room -= 3 - x;
      x = 3;
    }
    const letters = Math.floor(room / 7.25);
    if (letters < 1 || (text.length > letters && letters < 3)) return;
    this.context.fillStyle = colour;
    this.context.fillText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text, x, top + ROW / 2 + 1);
  }

  axis() {
    const c = this.context,
      step = niceStep(80 / this.scale);
    this.fill(this.colours.panel, 0, 0, this.width, AXIS);
    this.fill(this.colours.line, 0, AXIS - 1, this.width, 1);
    for (
      let cycle = Math.ceil(Math.max(0, this.from) / step) * step;
      cycle <= Math.min(this.to, cycles);
      cycle += step
    ) {
      const x = Math.round(this.x(cycle));
      this.fill(this.colours.idle, x, AXIS - 6, 1, 5);
      c.fillStyle = this.colours.muted;
      c.fillText(String(cycle), x + 3, AXIS / 2);
    }
  }

  cursor(cycle, colour, name) {
    if (cycle === null) return;
    const x = Math.round(this.x(cycle + 0.5));
    if (x < -20 || x > this.width + 20) return;
    this.fill(colour, x, AXIS - 10, 1, this.height);
    this.fill(colour, x - 7, 0, 15, 13);
    this.context.fillStyle = this.colours.back;
    this.context.fillText(name, x - 3, 7);
  }
}
