// SPDX-License-Identifier: MIT OR Apache-2.0
// One operation: which it is, what it is, and all that is shown of it.

let { chosen } = data;

const REQUESTS = 16;

function chooseOperation(op, scroll) {
  chosen = Math.max(0, Math.min(operations - 1, op));
  showOperation();
  showOperations();
  if (scroll) $('operation').scrollIntoView({ block: 'start' });
}

/** A cycle that one can go to. */
function cycleLink(cycle) {
  return cycle < 0 ? h('span', { class: 'off' }, 'not seen') : link(`cycle ${cycle}`, () => wave.go(cycle, true));
}

function showOperation() {
  $('op-back').disabled = chosen <= 0;
  $('op-on').disabled = chosen + 1 >= operations;
  $('op-fault').disabled = data.mismatch === null || data.mismatch.op === null || data.mismatch.op >= operations;
  if (operations === 0) {
    $('op-head').replaceChildren(h('p', {}, 'The run has no operation.'));
    return;
  }
  const { op } = channel,
    at = op.of(chosen)[0];
  const fields = op.signals
    .filter((signal) => signal.parts === 1 && signal.values[at] !== '0')
    .map((signal) => `${signal.name} ${shown(signal.values[at], signal.width, 'hex', signal.names)}`);
  const fault = chosen === data.mismatch?.op;
  $('op-head').replaceChildren(
    h(
      'p',
      { class: 'mono' },
      h('strong', {}, `#${chosen} ${opText(chosen)}`),
      fault ? h('span', { class: 'bad' }, '  at fault') : null,
    ),
    h(
      'p',
      {},
      `warp ${op.number('warp', at)}, tag 0x${op.value('tag', at)}, taken in `,
      cycleLink(takenAt[chosen]),
      ', done in ',
      cycleLink(doneAt[chosen]),
    ),
    h('p', { class: 'muted mono' }, fields.join(', ')),
  );
  $('op-lanes').replaceChildren(...showLanes(chosen));
  $('op-requests').replaceChildren(...showRequests(chosen, REQUESTS));
  $('op-memory').replaceChildren(...showMemory(chosen));
}
