// SPDX-License-Identifier: MIT OR Apache-2.0
// An operation lane by lane: addresses, outcome, registers in unit and model, clauses; and of a burst its dwords.

/** By register and lane: what came back, and what the model has; null where nothing comes. */
function writtenBack(op) {
  const registers = new Map(),
    { wb } = channel;
  const mask = wb.byName.get('mask'),
    values = wb.byName.get('data');
  for (const at of wb.of(op).filter((at) => wb.taken[at])) {
    const register = wb.number('reg', at),
      known = values.expected(at) !== null || mask.expected(at) !== null;
    if (!registers.has(register)) registers.set(register, new Map());
    const came = new Set(setBits(mask.values[at])),
      due = new Set(setBits(mask.expected(at) ?? mask.values[at]));
    for (const lane of new Set([...came, ...due])) {
      const value = came.has(lane) ? part(values.values[at], lane, 32) : null,
        model = due.has(lane) ? part(values.expected(at) ?? values.values[at], lane, 32) : null;
      registers.get(register).set(lane, { value, model, known });
    }
  }
  return registers;
}

/** What it stores, by beat. */
function stored(op) {
  const values = channel.data.byName.get('data');
  return new Map(
    channel.data
      .of(op)
      .map((at, beat) => [
        beat,
        new Map(
          Array.from({ length: data.lanes }, (_, lane) => [
            lane,
            { value: part(values.values[at], lane, 32), model: null, known: false },
          ]),
        ),
      ]),
  );
}

/** A lane's fault in unit and model, in words of the done port. */
function laneFault(op, lane) {
  const at = channel.done.of(op).find((at) => channel.done.taken[at]);
  const signal = channel.done.byName.get('fault');
  if (at === undefined || !signal) return null;
  const named = (values) => shown(part(values, lane, signal.width), signal.width, 'hex', signal.names);
  return { unit: named(signal.values[at]), model: named(signal.expected(at) ?? signal.values[at]) };
}

function clauseElement(id) {
  return h('abbr', { title: data.clauses[id] ?? '' }, id);
}

function showLanes(op) {
  const detail = details.get(op);
  if (!detail) {
    const fault = data.mismatch?.op != null;
    const which = fault ? 'those around the one at fault' : 'from the first that asks memory for something';
    const first = data.details[0]?.op,
      last = data.details[data.details.length - 1]?.op;
    return [h('p', { class: 'muted' }, `Lane by lane this page has operations ${first} to ${last}, ${which}.`)];
  }
  const back = writtenBack(op),
    store = stored(op);
  const registers = [
    ...[...store].map(([beat, lanes]) => [`store ${beat}`, lanes]),
    ...[...back].sort((a, b) => a[0] - b[0]).map(([register, lanes]) => [`r${register}`, lanes]),
  ];
  const has = (key) => detail.lanes.some((lane) => lane[key]?.length);
  const words = [0, 1, 2].filter((word) => detail.lanes.some((lane) => lane.words[word] !== '0x0'));
  const heads = [
    'lane',
    ...words.map((word) => `address ${word}`),
    'effective address',
    ...(has('forced') ? ['forced to'] : []),
    'place',
    'outcome',
    'the unit says',
    ...registers.map(([name]) => name),
    ...(has('tests') ? ['tests'] : []),
    'clauses',
  ];
  const rows = mergeIdle(detail.lanes, heads.length, (lane, number) => {
    const cell = (text, kind) => h('td', { class: [kind, lane.executes ? '' : 'off'].join(' ').trim() || null }, text);
    const unit = laneFault(op, number),
      wrong = data.mismatch?.op === op && data.mismatch.lane === number;
    const silent = !lane.executes;
    const outcome = silent ? 'idle' : lane.fault;
    const value = ([, lanes]) => {
      const found = lanes.get(number);
      if (!found || (silent && !found.known)) return cell(silent ? '' : found ? found.value : '–');
      const differs = found.known && found.model !== found.value,
        text = found.value ?? 'nothing';
      return cell(differs ? `${text}, model ${found.model ?? 'nothing'}` : text, differs ? 'wrong' : '');
    };
    return h(
      'tr',
      { class: wrong ? 'selected' : null },
      h('th', { scope: 'row' }, String(number)),
      words.map((word) => cell(silent ? '' : lane.words[word])),
      cell(lane.ea || (silent ? '' : '–')),
      has('forced') ? cell(lane.forced ?? '') : null,
      cell(lane.place),
      cell(outcome),
      faultCell(unit, cell),
      registers.map(value),
      has('tests') ? h('td', { class: 'text' }, (lane.tests ?? []).join('; ')) : null,
      h(
        'td',
        {},
        lane.clauses.flatMap((id, at) => [at ? ', ' : '', clauseElement(id)]),
      ),
    );
  });
  const table = h(
    'table',
    {},
    h('caption', { class: 'hidden' }, `Lanes of operation ${op}`),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((head) => h('th', { scope: 'col' }, head)),
      ),
    ),
    h('tbody', {}, rows),
  );
  return detail.lanes.some((lane) => lane.burst) ? [table, showBurst(detail)] : [table];
}

/** Rows of lanes; those that do nothing, for the same reason, share one. */
function mergeIdle(lanes, columns, row) {
  const rows = [];
  for (let first = 0; first < lanes.length; first++) {
    const reason = (lane) => (lane.executes ? null : lane.clauses.join());
    let last = first;
    while (last + 1 < lanes.length && reason(lanes[first]) !== null && reason(lanes[last + 1]) === reason(lanes[first]))
      last++;
    if (last - first < 2) last = first;
    rows.push(
      last === first
        ? row(lanes[first], first)
        : h(
            'tr',
            {},
            h('th', { scope: 'row' }, `${first}..${last}`),
            h('td', { class: 'off', colspan: columns - 2 }, 'idle'),
            h('td', {}, lanes[first].clauses.map(clauseElement)),
          ),
    );
    first = last;
  }
  return rows;
}

/** What the unit said at the done port, in words of its own: codes have names without blanks. */
function faultCell(fault, cell) {
  if (fault === null) return cell('–');
  const word = (name) => (name === 'None' ? 'ok' : name),
    differs = fault.unit !== fault.model;
  return cell(differs ? `${word(fault.unit)}, model ${word(fault.model)}` : word(fault.unit), differs ? 'wrong' : '');
}

const FATES = { M: 'moved', C: 'clamped', O: 'out of bounds', '-': 'not in the format' };

/** A burst: by lane and GPR, which of its components move. */
function showBurst(detail) {
  const lanes = detail.lanes.map((lane, number) => [lane, number]).filter(([lane]) => lane.burst);
  const gprs = lanes[0][0].burst.gprs.map((gpr) => gpr.gpr);
  const letters = (fates) =>
    [...fates].map((fate, at) =>
      h(
        'span',
        { class: fate === 'C' || fate === 'O' ? 'bad' : fate === 'M' ? 'good' : 'off', title: FATES[fate] },
        fate === '-' ? '·' : fate === 'M' ? 'xyzw'[at] : fate,
      ),
    );
  const rows = lanes.map(([{ burst }, number]) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, String(number)),
      h('td', {}, String(burst.index)),
      h('td', {}, String(burst.first)),
      h('td', {}, burst.limit === undefined ? 'none' : String(burst.limit)),
      burst.gprs.map((gpr) =>
        h('td', { title: `dword ${gpr.dword} at ${gpr.addr}` }, `${gpr.dword} `, letters(gpr.fates)),
      ),
    ),
  );
  return h(
    'table',
    {},
    h(
      'caption',
      {},
      'The burst: of each GPR its first dword, and x y z w where they move, C where clamped, O out of bounds',
    ),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['lane', 'index', 'first_dw', 'limit_dw', ...gprs.map((gpr) => `GPR ${gpr}`)].map((head) =>
          h('th', { scope: 'col' }, head),
        ),
      ),
    ),
    h('tbody', {}, rows),
  );
}
