// SPDX-License-Identifier: MIT OR Apache-2.0
// Values as text, and text as elements.

const RADICES = ['hex', 'dec', 'signed', 'bin'];

/** A value, given as hexadecimal digits. */
function shown(value, width, radix, names) {
  const name = names?.get(value);
  if (name !== undefined) return name;
  if (radix === 'hex') return value;
  const number = BigInt('0x' + value);
  if (radix === 'bin') return number.toString(2).padStart(Math.min(width, 64), '0');
  const negative = radix === 'signed' && width > 1 && number >> BigInt(width - 1) === 1n;
  return (negative ? number - (1n << BigInt(width)) : number).toString();
}

/** Part `index` of a value that has several, part 0 lowest. */
function part(value, index, width) {
  if (width % 4 === 0) {
    const end = value.length - index * (width / 4);
    return end <= 0 ? '0' : value.slice(Math.max(0, end - width / 4), end).replace(/^0+(?=.)/, '');
  }
  const bits = BigInt('0x' + value) >> BigInt(index * width);
  return (bits & ((1n << BigInt(width)) - 1n)).toString(16);
}

/** A whole signal in a transfer: its parts from 0 on. */
function signalText(signal, value, radix) {
  if (signal.parts === 1) return shown(value, signal.width, radix, signal.names);
  // More than this fits nowhere.
  const count = Math.min(signal.parts, 16);
  const parts = Array.from({ length: count }, (_, at) =>
    shown(part(value, at, signal.width), signal.width, radix, signal.names),
  );
  if (signal.names) return parts.every((text) => text === parts[0]) ? `all ${parts[0]}` : parts.join(' ');
  return parts.join(' ') + (count < signal.parts ? ' …' : '');
}

/** Prefix of a number where it stands alone. */
function withPrefix(text, radix, signal) {
  const plain = signal.parts === 1 && !signal.names?.size && signal.width > 1;
  return plain && radix === 'hex' ? `0x${text}` : plain && radix === 'bin' ? `0b${text}` : text;
}

/** `0..3, 8` of numbers. */
function ranges(numbers) {
  const out = [];
  for (const number of numbers) {
    const last = out[out.length - 1];
    if (last && last[1] + 1 === number) last[1] = number;
    else out.push([number, number]);
  }
  return out.map(([a, b]) => (a === b ? `${a}` : `${a}..${b}`)).join(', ');
}

/** Places of the bits that are set. */
function setBits(hex) {
  const out = [];
  for (let digit = hex.length - 1, base = 0; digit >= 0; digit--, base += 4) {
    const value = parseInt(hex[digit], 16);
    for (let bit = 0; bit < 4; bit++) if ((value >> bit) & 1) out.push(base + bit);
  }
  return out;
}

/** Bytes of a value, byte 0 first. */
function bytesOf(value, count) {
  const digits = value.padStart(count * 2, '0');
  return Array.from({ length: count }, (_, at) => digits.slice(digits.length - 2 * at - 2, digits.length - 2 * at));
}

/** An element; whatever is text becomes text, never markup. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

const $ = (id) => document.getElementById(id);

/** A button that looks like a link. */
function link(text, act) {
  return h('button', { type: 'button', class: 'link', onclick: act }, text);
}

function count(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
