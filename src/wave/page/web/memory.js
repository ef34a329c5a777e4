// SPDX-License-Identifier: MIT OR Apache-2.0
// Memory around an operation: what its bytes held before and after, in unit and model, and who wrote them.

/** Digits two by two. */
function pairs(digits) {
  return digits.match(/../g).join(' ');
}

/** Names an operation in a text, as a link to it. */
function withLinks(text) {
  return text.split(/(operation \d+)/).map((piece) => {
    const op = /^operation (\d+)$/.exec(piece);
    return op ? link(piece, () => chooseOperation(Number(op[1]), false)) : piece;
  });
}

function showMemory(op) {
  const runs = details.get(op)?.memory;
  if (!runs) return [h('p', { class: 'muted' }, 'Memory is told of the operations that are told lane by lane.')];
  if (runs.length === 0) return [h('p', { class: 'muted' }, 'It has no byte of memory.')];
  const differs = runs.some((run) => run.model !== undefined);
  const heads = ['bytes from', 'before', 'after', ...(differs ? ['in the model'] : []), 'written by', 'before that by'];
  const rows = runs.map((run) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, run.addr),
      h('td', {}, pairs(run.before)),
      h('td', { class: run.model === undefined ? null : 'wrong' }, pairs(run.unit)),
      differs ? h('td', { class: run.model === undefined ? null : 'wrong' }, pairs(run.model ?? run.unit)) : null,
      h('td', {}, withLinks(run.by)),
      h('td', {}, withLinks(run.was)),
    ),
  );
  return [
    h(
      'table',
      {},
      h('caption', { class: 'hidden' }, `Memory around operation ${op}`),
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
    ),
  ];
}
