// SPDX-License-Identifier: MIT OR Apache-2.0
'use strict';
// What the page is about, decoded when it is needed: a column is a text until somebody looks at it.

const data = JSON.parse(document.getElementById('data').textContent);

/** Tokens of a column: `a*3` is three times `a`. */
function decode(text) {
  const out = [];
  for (const token of text === '' ? [] : text.split(' ')) {
    const star = token.indexOf('*');
    if (star < 0) {
      out.push(token);
    } else {
      const value = token.slice(0, star);
      for (let n = Number(token.slice(star + 1)); n > 0; n--) out.push(value);
    }
  }
  return out;
}

/** Numbers of a column, -1 where there is none. */
function decodeNumbers(text) {
  return Int32Array.from(decode(text), (token) => (token === '-' ? -1 : Number(token)));
}

/** The first of ascending numbers that is greater than `limit`. */
function above(numbers, limit) {
  let low = 0,
    high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A signal: what it shows in each transfer of its group, and what the model has there. */
class Signal {
  constructor(group, raw) {
    Object.assign(this, { group, name: raw.name, width: raw.width, parts: raw.parts ?? 1, part: raw.part ?? '' });
    this.names = raw.codes && new Map(Object.entries(raw.codes).map(([name, code]) => [code.toString(16), name]));
    this.raw = raw;
  }

  get values() {
    return (this.decodedValues ??= decode(this.raw.values));
  }

  get hasModel() {
    return this.raw.model !== undefined;
  }

  /** The model's value of a transfer; null if it has none. */
  expected(at) {
    this.decodedModel ??= this.hasModel ? decode(this.raw.model) : [];
    const value = this.decodedModel[at];
    return value === undefined || value === '-' ? null : value === '=' ? this.values[at] : value;
  }

  /** Transfers in which unit and model differ. */
  get wrong() {
    if (this.wrongAt) return this.wrongAt;
    this.wrongAt = [];
    // Most columns are the same from end to end, and need not be decoded to say so.
    if (this.hasModel && /[0-9a-f]/.test(this.raw.model.replace(/\*\d+/g, ''))) {
      this.expected(0);
      this.decodedModel.forEach((value, at) => {
        if (value !== '=' && value !== '-') this.wrongAt.push(at);
      });
    }
    return this.wrongAt;
  }
}

/** The transfers of a channel. */
class Group {
  constructor(raw) {
    Object.assign(this, { name: raw.name, title: raw.title, clause: raw.clause, unit: raw.unit, zero: raw.zero });
    const [start, length] = [decodeNumbers(raw.start), decodeNumbers(raw.length)];
    for (let i = 1; i < start.length; i++) start[i] += start[i - 1];
    this.start = start;
    this.end = length.map((cycles, at) => start[at] + cycles);
    this.taken = decodeNumbers(raw.taken);
    this.op = decodeNumbers(raw.op);
    this.signals = raw.rows.map((row) => new Signal(this, row));
    this.byName = new Map(this.signals.map((signal) => [signal.name, signal]));
  }

  get length() {
    return this.start.length;
  }

  /** The transfer in a cycle, or -1. */
  at(cycle) {
    const at = above(this.start, cycle) - 1;
    return at >= 0 && this.end[at] > cycle ? at : -1;
  }

  /** What a signal has in a transfer: one that is not there is 0 in all of them. */
  value(name, at) {
    return this.byName.get(name)?.values[at] ?? '0';
  }

  number(name, at) {
    return parseInt(this.value(name, at), 16);
  }

  /** The transfers of an operation. */
  of(op) {
    this.places ??= places(this.op);
    return this.places.get(op) ?? [];
  }
}

function places(ops) {
  const map = new Map();
  ops.forEach((op, at) => {
    const list = map.get(op);
    if (list) list.push(at);
    else map.set(op, [at]);
  });
  return map;
}

const groups = data.groups.map((raw) => new Group(raw));
const channel = Object.fromEntries(groups.map((group) => [group.name, group]));
const instruction = decodeNumbers(data.instructions);
const operations = instruction.length;
const cycles = data.cycles;
const details = new Map(data.details.map((detail) => [detail.op, detail]));

/** An operation in words. */
function opText(op) {
  return op < 0 || op >= operations ? '' : data.texts[instruction[op]];
}

/** When an operation was taken and done; -1 if it was not. */
const takenAt = new Int32Array(operations).fill(-1);
const doneAt = new Int32Array(operations).fill(-1);
channel.op.op.forEach((op, at) => {
  if (op >= 0) takenAt[op] = channel.op.start[at];
});
channel.done.op.forEach((op, at) => {
  if (op >= 0 && channel.done.taken[at]) doneAt[op] = channel.done.end[at] - 1;
});
