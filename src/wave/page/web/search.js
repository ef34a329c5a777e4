// SPDX-License-Identifier: MIT OR Apache-2.0
// One field for all that can be looked for: a cycle, an operation, a signal, a value.

/** Looks for what stands in the field; again, for the next. Says what was found. */
function search(text, forward) {
  const query = text.trim().toLowerCase();
  if (query === '') return 'Type the name of a signal, a value, @cycle or #operation.';
  const place = /^(@|cycle )\s*(\d+)$/.exec(query);
  if (place) {
    wave.go(Number(place[2]), true);
    return `Cycle ${wave.state.cursor}.`;
  }
  const operation = /^(#|op(?:eration)? )\s*(\d+)$/.exec(query);
  if (operation) {
    const op = Number(operation[2]);
    if (op >= operations) return `There is no operation ${op}: the run has ${operations}.`;
    chooseOperation(op, false);
    wave.go(takenAt[op], true);
    return `Operation ${op}, taken in cycle ${takenAt[op]}.`;
  }
  return bySignal(query, forward) ?? byValue(query, forward) ?? byText(query, forward) ?? `Nothing has ${text.trim()}.`;
}

function bySignal(query, forward) {
  const rows = [...rowsById.values()].filter(
    (row) => row.kind !== 'part' && (row.id.toLowerCase().includes(query) || row.group?.title === query),
  );
  if (rows.length === 0) return null;
  const step = forward ? 1 : -1;
  const row = rows[(rows.indexOf(wave.state.selected) + step + rows.length) % rows.length];
  wave.show(row);
  return `${row.id}, ${rows.indexOf(row) + 1} of ${rows.length}.`;
}

/** The next transfer, or the one before, for which `matches` finds a row; `matches` gives a row or null. */
function nearest(forward, matches) {
  let best = null;
  for (const group of groups) {
    const { start } = group,
      step = forward ? 1 : -1;
    for (
      let at = forward ? above(start, wave.state.cursor) : above(start, wave.state.cursor - 1) - 1;
      at >= 0 && at < start.length;
      at += step
    ) {
      if (best && (forward ? start[at] >= best.cycle : start[at] <= best.cycle)) break;
      const row = matches(group, at);
      if (row) {
        best = { cycle: start[at], row };
        break;
      }
    }
  }
  if (!best) return null;
  wave.show(rowsById.get(best.row));
  wave.go(best.cycle);
  return `${best.row} in cycle ${best.cycle}.`;
}

/** A number in hexadecimal, or decimal where that is chosen; of a signal with lanes, in one of them. */
function byValue(query, forward) {
  const decimal = wave.state.radix !== 'hex' && /^-?\d+$/.test(query);
  const digits = decimal ? BigInt.asUintN(64, BigInt(query)).toString(16) : query.replace(/^0x/, '').replace(/_/g, '');
  if (!/^[0-9a-f]+$/.test(digits)) return null;
  const wanted = digits.replace(/^0+(?=.)/, '');
  const has = (signal, value) =>
    value === wanted ||
    (signal.parts > 1 &&
      value.includes(wanted) &&
      Array.from({ length: signal.parts }, (_, at) => part(value, at, signal.width)).includes(wanted));
  return nearest(forward, (group, at) => {
    const signal = group.signals.find(
      (signal) => signal.width * signal.parts > 1 && !signal.names && has(signal, signal.values[at]),
    );
    return signal ? `${group.name}.${signal.name}` : null;
  });
}

/** Part of an instruction, or of the name of a code. */
function byText(query, forward) {
  return nearest(forward, (group, at) => {
    if (group.name === 'op' && opText(group.op[at]).toLowerCase().includes(query)) return 'op.operation';
    const signal = group.signals.find((signal) => signal.names?.get(signal.values[at])?.toLowerCase() === query);
    return signal ? `${group.name}.${signal.name}` : null;
  });
}

function listenToSearch() {
  const field = $('search');
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      $('live').textContent = search(field.value, !event.shiftKey);
    } else if (event.key === 'Escape') {
      $('rows').focus({ preventScroll: true });
    }
  });
}
