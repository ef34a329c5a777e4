// SPDX-License-Identifier: MIT OR Apache-2.0
// Pointer, wheel and keys of the wave.

const KEYS = [
  ['← →', 'move the cursor by a cycle; with Shift, move the view'],
  ['↑ ↓', 'choose a row'],
  ['Enter', 'open or close the row'],
  ['+ −', 'zoom at the cursor'],
  ['Home End', 'first and last cycle'],
  ['PageUp PageDown', 'ten rows up and down'],
  ['f', 'all cycles'],
  ['n N', 'next and previous change of the row'],
  ['d', 'the divergence'],
  ['/', 'search'],
  ['r R', 'numbers of the row (or twice click its value), of all rows: hexadecimal, decimal, signed, binary'],
  ['m', 'cursor B here; Escape takes it away'],
  ['o', 'the operation under the cursor'],
  ['?', 'this list'],
  ['click', 'cursor A; with Shift, cursor B'],
  ['wheel, pinch', 'with Ctrl, or over the axis, zoom; with Shift, move; drag moves too'],
];

const actions = {
  ArrowLeft: () => wave.go(wave.state.cursor - 1),
  ArrowRight: () => wave.go(wave.state.cursor + 1),
  'Shift+ArrowLeft': () => pan(-0.25),
  'Shift+ArrowRight': () => pan(0.25),
  ArrowUp: () => wave.move(-1),
  ArrowDown: () => wave.move(1),
  PageUp: () => wave.move(-10),
  PageDown: () => wave.move(10),
  Enter: () => wave.toggle(wave.state.selected),
  ' ': () => wave.toggle(wave.state.selected),
  '+': () => wave.zoomAtCursor(2),
  '=': () => wave.zoomAtCursor(2),
  '-': () => wave.zoomAtCursor(0.5),
  Home: () => wave.go(0),
  End: () => wave.go(cycles - 1),
  f: () => wave.fit(),
  n: () => wave.change(true),
  N: () => wave.change(false),
  d: () => wave.divergence(),
  '/': () => $('search').focus(),
  r: () => wave.rowRadix(),
  R: () => wave.setRadix(RADICES[(RADICES.indexOf(wave.state.radix) + 1) % RADICES.length]),
  m: () => second(wave.state.cursor),
  Escape: () => second(null),
  o: () => operationAtCursor(),
  '?': () => $('keys').showModal(),
};

function pan(part) {
  wave.look(wave.view.from + (part * wave.painter.width) / wave.view.scale, wave.view.scale);
}

function second(cycle) {
  wave.state.second = cycle;
  wave.tell();
  wave.draw();
}

function operationAtCursor() {
  const { group } = wave.state.selected;
  const at = group ? group.at(wave.state.cursor) : -1;
  const op = at >= 0 ? group.op[at] : -1;
  if (op >= 0) chooseOperation(op, true);
  else $('live').textContent = 'No operation is at this port in this cycle.';
}

/** Keys are the wave's while it, or nothing else, has the focus. */
function listen() {
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    const ours = target === document.body || $('wave').contains(target);
    if (!ours || event.ctrlKey || event.altKey || event.metaKey || $('keys').open) return;
    if (target.matches?.('input, select, button, summary, .wide') && event.key !== 'Escape') return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const act = actions[name];
    if (!act) return;
    event.preventDefault();
    act();
  });
  $('keys-list').append(...KEYS.flatMap(([keys, what]) => [h('dt', {}, keys), h('dd', {}, what)]));
  const buttons = {
    out: () => wave.zoomAtCursor(0.5),
    in: () => wave.zoomAtCursor(2),
    fit: () => wave.fit(),
    divergence: () => wave.divergence(),
    previous: () => wave.change(false),
    next: () => wave.change(true),
  };
  for (const button of document.querySelectorAll('[data-do]'))
    button.addEventListener('click', buttons[button.dataset.do]);
  $('radix').addEventListener('change', () => wave.setRadix($('radix').value));
  $('model').addEventListener('change', () => wave.list());
  $('viewer').addEventListener('scroll', () => wave.draw());
  new ResizeObserver(() => wave.draw()).observe($('viewer'));
  pointers($('canvas'));
}

/** Drag moves, a click puts a cursor, two fingers pinch; the wheel zooms where it must and scrolls rows else. */
function pointers(canvas) {
  const down = new Map();
  let moved = 0,
    apart = 0;
  const place = (event) => event.clientX - canvas.getBoundingClientRect().left;
  canvas.addEventListener('pointerdown', (event) => {
    down.set(event.pointerId, place(event));
    moved = apart = 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!down.has(event.pointerId)) return;
    const x = place(event),
      before = down.get(event.pointerId);
    down.set(event.pointerId, x);
    moved += Math.abs(x - before);
    if (down.size === 1 && moved > 3)
      return wave.look(wave.view.from - (x - before) / wave.view.scale, wave.view.scale);
    if (down.size === 2) {
      const [a, b] = down.values(),
        distance = Math.max(10, Math.abs(a - b));
      if (apart) wave.zoom(distance / apart, (a + b) / 2);
      apart = distance;
    }
  });
  const up = (event) => {
    if (down.delete(event.pointerId) && moved <= 3 && event.type === 'pointerup') click(event, place(event));
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener(
    'wheel',
    (event) => {
      const overAxis = event.clientY - canvas.getBoundingClientRect().top < AXIS;
      if (event.ctrlKey || overAxis) {
        wave.zoom(Math.exp(-event.deltaY * 0.002), place(event));
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        wave.look(wave.view.from + (event.deltaX || event.deltaY) / wave.view.scale, wave.view.scale);
      } else {
        return; // the rows scroll
      }
      event.preventDefault();
    },
    { passive: false },
  );
}

function click(event, x) {
  const cycle = Math.floor(wave.view.from + x / wave.view.scale);
  if (event.shiftKey) return second(Math.max(0, Math.min(cycles - 1, cycle)));
  const y = event.clientY - $('canvas').getBoundingClientRect().top;
  const row = wave.rows[Math.floor((y - AXIS + $('viewer').scrollTop) / ROW)];
  if (row && y > AXIS) wave.state.selected = row;
  wave.go(cycle);
  $('rows').focus({ preventScroll: true });
}
