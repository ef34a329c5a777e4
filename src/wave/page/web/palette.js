// SPDX-License-Identifier: MIT OR Apache-2.0
// What the wave is drawn with: sizes, colours, steps of the axis.

const ROW = 22,
  AXIS = 24;

/** Colours of the theme, as the canvas wants them. */
function palette() {
  const style = getComputedStyle(document.documentElement);
  const names = [
    'back',
    'panel',
    'line',
    'text',
    'muted',
    'accent',
    'unit',
    'model',
    'wrong',
    'wrong-back',
    'select',
    'idle',
  ];
  return Object.fromEntries(
    names.map((name) => [name.replace('-back', 'Back'), style.getPropertyValue(`--${name}`).trim()]),
  );
}

/** 1, 2 or 5 times a power of ten, at least one cycle. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return Math.max(
    1,
    [1, 2, 5, 10].map((by) => by * power).find((step) => step >= least),
  );
}
