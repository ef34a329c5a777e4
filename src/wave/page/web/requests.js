// SPDX-License-Identifier: MIT OR Apache-2.0
// Requests as lines with their bytes: what the unit asked for, what memory answered, and where the model differs.

/** The answers to a request: those with its id until the last. */
function answers(at) {
  const { mem_req: requests, mem_rsp: responses } = channel;
  const id = requests.value('id', at),
    out = [];
  for (let next = above(responses.start, requests.end[at] - 2); next < responses.length; next++) {
    if (responses.value('id', next) !== id) continue;
    out.push(next);
    if (responses.value('last', next) === '1') break;
  }
  return out;
}

/** A line as rows of 32 bytes, those of `wanted` bytes; `byte` gives text, class and title of each. */
function lineTable(caption, base, wanted, byte) {
  const rows = [];
  for (let from = 0; from < data.line_bytes; from += 32) {
    if (!wanted.some((at) => at >= from && at < from + 32)) continue;
    const cells = Array.from({ length: Math.min(32, data.line_bytes - from) }, (_, at) => {
      const { text, kind, title } = byte(from + at);
      return h('td', { class: [kind, at % 4 === 0 ? 'four' : ''].join(' ').trim() || null, title }, text);
    });
    rows.push(h('tr', {}, h('th', { scope: 'row' }, `0x${(base + BigInt(from)).toString(16)}`), cells));
  }
  return h('table', { class: 'bytes' }, h('caption', { class: 'hidden' }, caption), h('tbody', {}, rows));
}

function requestElement(at, number) {
  const { mem_req: requests, mem_rsp: responses } = channel;
  const [kind, be, bytes, address] = ['kind', 'be', 'data', 'addr'].map((name) => requests.byName.get(name));
  const enabled = new Set(setBits(be.values[at]));
  const model = be.expected(at) === null ? null : new Set(setBits(be.expected(at)));
  const name = shown(kind.values[at], kind.width, 'hex', kind.names),
    write = name.startsWith('Write');
  const answer = answers(at),
    last = answer[answer.length - 1];
  const carried = write ? bytes.values[at] : answer.length ? responses.value('data', answer[0]) : null;
  const values = carried === null ? null : bytesOf(carried, data.line_bytes);
  const wanted = write && bytes.expected(at) !== null ? bytesOf(bytes.expected(at), data.line_bytes) : null;
  const cell = (index) => {
    const on = enabled.has(index),
      expected = model?.has(index) ?? on;
    const text = on ? (values?.[index] ?? '??') : '··';
    if (on !== expected)
      return {
        text,
        kind: 'wrong',
        title: on ? 'the model leaves this byte alone' : `the model has ${wanted?.[index] ?? 'this byte'}`,
      };
    if (on && wanted && wanted[index] !== values[index])
      return { text, kind: 'wrong', title: `the model has ${wanted[index]}` };
    return { text, kind: on ? '' : 'off' };
  };
  const others = requests.signals
    .filter(
      (signal) =>
        signal.expected(at) !== null && signal.expected(at) !== signal.values[at] && signal !== be && signal !== bytes,
    )
    .map((signal) =>
      h(
        'span',
        { class: 'wrong' },
        `${signal.name} ${signalText(signal, signal.values[at], 'hex')}, model ${signalText(signal, signal.expected(at), 'hex')}`,
      ),
    );
  // In answers to other requests the bit means nothing.
  const exclusive = name.endsWith('Exclusive'),
    refused = answer.some((next) => responses.value('exclusive_failed', next) === '1');
  const failed = exclusive && refused ? ', refused: not exclusive any more' : '';
  const error = answer.some((next) => responses.value('error', next) === '1') ? ', answered with a bus error' : '';
  const heading = h(
    'p',
    { class: 'mono' },
    `request ${number}: ${name} of line 0x${address.values[at]}, id ${requests.number('id', at)}, offered in `,
    cycleLink(requests.start[at]),
    requests.taken[at] ? ', taken in ' : ', not taken',
    requests.taken[at] ? cycleLink(requests.end[at] - 1) : null,
    ', answered in ',
    cycleLink(answer.length ? responses.start[answer[0]] : -1),
    last !== undefined && last !== answer[0] ? ', last in ' : null,
    last !== undefined && last !== answer[0] ? cycleLink(responses.start[last]) : null,
    error + failed,
    others.length ? ' ' : null,
    others,
  );
  return h(
    'div',
    { class: 'request' },
    heading,
    lineTable(`Bytes of request ${number}`, BigInt('0x' + address.values[at]), [...enabled, ...(model ?? [])], cell),
  );
}

function showRequests(op, most) {
  const all = channel.mem_req.of(op);
  if (all.length === 0) return [h('p', { class: 'muted' }, 'It asked memory for nothing.')];
  const shownNow = all.slice(0, most).map(requestElement);
  const rest = all.length - shownNow.length;
  const more =
    rest > 0
      ? [
          h(
            'button',
            { type: 'button', onclick: () => $('op-requests').replaceChildren(...showRequests(op, most * 4)) },
            `${count(rest, 'request')} more`,
          ),
        ]
      : [];
  return [...shownNow, ...more];
}
