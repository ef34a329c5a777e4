// SPDX-License-Identifier: MIT OR Apache-2.0
// What happened, as text: for who cannot see a canvas, and for copying.

const EVENTS = 50;
let eventsFrom = 0;

/** Every event as a cycle and where it is: made when the list is opened first. */
function allEvents() {
  if (allEvents.made) return allEvents.made;
  const all = data.events.map((event) => ({ cycle: event.cycle, port: event.what, text: event.text }));
  for (const group of groups) group.start.forEach((cycle, at) => all.push({ cycle, group, at }));
  return (allEvents.made = all.sort((a, b) => a.cycle - b.cycle));
}

/** A transfer in words: what its signals have, without those that are 0. */
function eventText({ group, at, text }) {
  if (text !== undefined) return text;
  const op = group.op[at];
  const parts = [op >= 0 ? `operation ${op}` : 'no operation in flight'];
  if (group.name === 'op') parts.push(opText(op));
  for (const signal of group.signals) {
    const value = signal.values[at],
      expected = signal.expected(at);
    const differs = expected !== null && expected !== value;
    if ((value === '0' && !differs) || (group.name === 'op' && signal.parts === 1)) continue;
    const model = differs ? ` (the model has ${signalText(signal, expected, wave.state.radix)})` : '';
    parts.push(`${signal.name} ${signalText(signal, value, wave.state.radix)}${model}`);
  }
  if (!group.taken[at]) parts.push('not taken');
  else if (group.end[at] - group.start[at] > 1) parts.push(`taken in cycle ${group.end[at] - 1}`);
  return parts.join(', ');
}

function showEvents() {
  const all = allEvents();
  eventsFrom = Math.max(0, Math.min(eventsFrom, all.length - 1));
  const these = all.slice(eventsFrom, eventsFrom + EVENTS);
  $('events-body').replaceChildren(
    ...these.map((event) =>
      h(
        'tr',
        { class: data.mismatch?.cycle === event.cycle ? 'selected' : null },
        h(
          'td',
          {},
          link(String(event.cycle), () => wave.go(event.cycle)),
        ),
        h('td', {}, event.port ?? event.group.name),
        h('td', { class: 'text' }, eventText(event)),
      ),
    ),
  );
  $('events-where').textContent = all.length
    ? `${eventsFrom + 1} to ${eventsFrom + these.length} of ${all.length}`
    : 'none';
  $('events-back').disabled = eventsFrom === 0;
  $('events-on').disabled = eventsFrom + EVENTS >= all.length;
}

function listenToEvents() {
  $('events').addEventListener('toggle', () => {
    if ($('events').open) here();
  });
  const here = () => {
    const first = allEvents().findIndex((event) => event.cycle >= wave.state.cursor);
    eventsFrom = first < 0 ? allEvents().length : first;
    showEvents();
  };
  const step = (by) => () => {
    eventsFrom += by;
    showEvents();
  };
  $('events-back').addEventListener('click', step(-EVENTS));
  $('events-on').addEventListener('click', step(EVENTS));
  $('events-here').addEventListener('click', here);
}
