// SPDX-License-Identifier: MIT OR Apache-2.0
// Which rows there are: a tree of groups, signals, the model beside them, lanes and words; and those in sight.

/** A row of the wave. */
class RowItem {
  constructor(id, kind, label, level, fields) {
    Object.assign(this, { id, kind, label, level, open: false, children: [], radix: null }, fields);
  }
}

function signalRow(group, signal) {
  const row = new RowItem(`${group.name}.${signal.name}`, 'signal', signal.name, 2, { group, signal });
  if (signal.parts > 1) {
    row.children = Array.from(
      { length: signal.parts },
      (_, at) => new RowItem(`${row.id}.${at}`, 'part', `${signal.part} ${at}`, 3, { group, signal, index: at }),
    );
  }
  if (signal.hasModel)
    row.model = new RowItem(`${row.id}.model`, 'model', `${signal.name} (model)`, 2, { group, signal });
  return row;
}

function groupRow(group) {
  const item = (kind, label) => new RowItem(`${group.name}.${kind}`, kind, label, 2, { group });
  const row = new RowItem(group.name, 'group', `${group.name}  ${group.clause}`, 1, { group });
  row.children = [
    item('valid', 'valid'),
    ...(group.unit ? [item('ready', 'ready')] : []),
    item('operation', 'operation'),
    ...group.signals.map((signal) => signalRow(group, signal)),
  ];
  return row;
}

/** What is no transfer: where unit and model part, and what happened besides. */
function marksRow() {
  const row = new RowItem('diff', 'marks', 'diff', 1, { marks: [], open: true });
  const child = (kind, marks) =>
    marks.length && row.children.push(new RowItem(`diff.${kind}`, 'marks', kind, 2, { marks }));
  const wrong = data.mismatch;
  if (wrong) {
    child('mismatch', [{ start: wrong.cycle, end: cycles, text: `${wrong.names}: ${wrong.field}`, wrong: true }]);
    if (wrong.since !== null) child('owed', [{ start: wrong.since + 1, end: cycles, text: wrong.actual, wrong: true }]);
  }
  for (const kind of ['reset', 'ctrl', 'foreign', 'report']) {
    const these = data.events.filter((event) => event.what === kind);
    child(
      kind,
      these.map((event) => ({ start: event.cycle, end: event.cycle + 1, text: event.text })),
    );
  }
  return row;
}

const tree = [marksRow(), ...groups.map(groupRow)].filter((row) => row.kind !== 'marks' || row.children.length);
const rowsById = new Map();
for (const group of tree) {
  for (const row of [
    group,
    ...group.children,
    ...group.children.flatMap((child) => [...(child.model ? [child.model] : []), ...child.children]),
  ]) {
    rowsById.set(row.id, row);
  }
}
const parentOf = new Map(
  tree.flatMap((group) =>
    group.children.flatMap((row) => [
      [row, group],
      ...(row.model ? [[row.model, group]] : []),
      ...row.children.map((part) => [part, row]),
    ]),
  ),
);

// What is open at first: where something is wrong, or what goes to memory and comes back.
for (const row of tree)
  if (row.kind === 'group') row.open = data.mismatch?.group ? row.id === data.mismatch.group : row.id === 'mem_req';

/** The rows in sight, in order. */
function visibleRows(withModel) {
  const out = [];
  for (const group of tree) {
    out.push(group);
    if (!group.open) continue;
    for (const row of group.children) {
      out.push(row);
      if (withModel && row.model) out.push(row.model);
      if (row.open) out.push(...row.children);
    }
  }
  return out;
}

/** Opens whatever hides a row. */
function reveal(row) {
  for (let above = parentOf.get(row); above; above = parentOf.get(above)) above.open = true;
}

/** What a row shows in a transfer: text, and whether the model disagrees. */
function rowText(row, at, radix) {
  const { signal } = row;
  const own = row.radix ?? radix;
  switch (row.kind) {
    case 'group':
    case 'operation': {
      const op = row.group.op[at];
      return { text: op < 0 ? '?' : row.kind === 'group' ? `#${op}` : `#${op} ${opText(op)}` };
    }
    case 'signal': {
      const expected = signal.expected(at);
      return {
        text: signalText(signal, signal.values[at], own),
        wrong: expected !== null && expected !== signal.values[at],
      };
    }
    case 'model': {
      const expected = signal.expected(at);
      const text = expected === null ? '' : signalText(signal, expected, own);
      return { text, wrong: expected !== null && expected !== signal.values[at] };
    }
    case 'part': {
      const expected = signal.expected(at);
      const value = part(signal.values[at], row.index, signal.width);
      const model = expected === null ? value : part(expected, row.index, signal.width);
      const text = shown(value, signal.width, own, signal.names);
      return value === model
        ? { text }
        : { text: `${text}, model ${shown(model, signal.width, own, signal.names)}`, wrong: true };
    }
    default:
      return { text: '' };
  }
}

/** What a row shows in a cycle. */
function rowValue(row, cycle, radix) {
  if (row.kind === 'marks') {
    const mark = row.marks.find((mark) => mark.start <= cycle && cycle < mark.end);
    return mark ? { text: mark.text, wrong: mark.wrong } : { text: '' };
  }
  const { group } = row;
  const at = group.at(cycle);
  if (row.kind === 'valid') return { text: at < 0 ? '0' : '1' };
  if (row.kind === 'ready') return { text: at < 0 ? 'x' : group.taken[at] && group.end[at] === cycle + 1 ? '1' : '0' };
  if (at < 0) return { text: '' };
  const value = rowText(row, at, radix);
  if (row.signal && row.kind !== 'part') value.text = withPrefix(value.text, row.radix ?? radix, row.signal);
  return value;
}

/** Whether two transfers show the same in a row: only then nothing changes between them. */
function sameIn(row, a, b) {
  const { signal, group } = row;
  if (row.kind === 'part')
    return part(signal.values[a], row.index, signal.width) === part(signal.values[b], row.index, signal.width);
  if (row.kind === 'model') return signal.expected(a) === signal.expected(b);
  if (signal) return signal.values[a] === signal.values[b];
  if (row.kind === 'valid' || row.kind === 'ready') return group.end[a] === group.start[b];
  return group.op[a] === group.op[b];
}
