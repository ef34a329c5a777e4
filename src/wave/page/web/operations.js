// SPDX-License-Identifier: MIT OR Apache-2.0
// All operations, a page at a time.

const OPERATIONS = 25;
let operationsFrom = -1;
let operationsFound = null;

/** Operations that fit the filter: words that all must be somewhere in the row. */
function found() {
  if (operationsFound) return operationsFound;
  const words = $('ops-filter').value.trim().toLowerCase();
  const all = Array.from({ length: operations }, (_, op) => op);
  const warp = /\bwarp (\d+)\b/.exec(words),
    tag = /\btag (0x)?([0-9a-f]+)\b/.exec(words);
  const rest = words
    .replace(/\bwarp \d+\b/, '')
    .replace(/\btag (0x)?[0-9a-f]+\b/, '')
    .trim();
  const { op: group } = channel;
  operationsFound =
    words === ''
      ? all
      : all.filter((op) => {
          const at = group.of(op)[0];
          return (
            (!warp || group.number('warp', at) === Number(warp[1])) &&
            (!tag || group.value('tag', at) === tag[2].replace(/^0+(?=.)/, '')) &&
            opText(op).toLowerCase().includes(rest)
          );
        });
  return operationsFound;
}

function showOperations(from) {
  const all = found();
  if (from === undefined) {
    const at = all.indexOf(chosen);
    const inSight = at >= operationsFrom && at < operationsFrom + OPERATIONS;
    from =
      (operationsFrom >= 0 && inSight) || at < 0
        ? Math.max(0, operationsFrom)
        : Math.floor(at / OPERATIONS) * OPERATIONS;
  }
  operationsFrom = Math.max(0, Math.min(from, Math.max(0, all.length - 1)));
  const these = all.slice(operationsFrom, operationsFrom + OPERATIONS);
  const { op: group } = channel;
  $('ops-body').replaceChildren(
    ...these.map((op) => {
      const at = group.of(op)[0],
        fault = op === data.mismatch?.op;
      return h(
        'tr',
        { class: op === chosen ? 'selected' : null, 'aria-current': op === chosen ? 'true' : null },
        h(
          'td',
          {},
          link(`#${op}`, () => chooseOperation(op, true)),
        ),
        h('td', {}, takenAt[op] < 0 ? '' : link(String(takenAt[op]), () => wave.go(takenAt[op], true))),
        h('td', {}, doneAt[op] < 0 ? 'not seen' : link(String(doneAt[op]), () => wave.go(doneAt[op], true))),
        h('td', {}, String(group.number('warp', at))),
        h('td', {}, `0x${group.value('tag', at)}`),
        h('td', { class: 'text' }, opText(op), fault ? h('span', { class: 'bad' }, '  at fault') : null),
      );
    }),
  );
  $('ops-where').textContent = all.length
    ? `${operationsFrom + 1} to ${operationsFrom + these.length} of ${all.length}`
    : 'none';
  $('ops-back').disabled = operationsFrom === 0;
  $('ops-on').disabled = operationsFrom + OPERATIONS >= all.length;
}

function listenToOperations() {
  $('ops-filter').addEventListener('input', () => {
    operationsFound = null;
    showOperations(0);
  });
  $('ops-back').addEventListener('click', () => showOperations(operationsFrom - OPERATIONS));
  $('ops-on').addEventListener('click', () => showOperations(operationsFrom + OPERATIONS));
  $('op-back').addEventListener('click', () => chooseOperation(chosen - 1, false));
  $('op-on').addEventListener('click', () => chooseOperation(chosen + 1, false));
  $('op-fault').addEventListener('click', () => chooseOperation(data.mismatch.op, false));
}
