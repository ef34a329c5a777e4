// SPDX-License-Identifier: MIT OR Apache-2.0
// The rest of the page: title, story, coverage, colours; and the beginning.

const THEMES = ['system', 'light', 'dark'];

function setTheme(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $('theme').textContent = `Colours: ${theme}`;
  wave.painter.colours = palette();
  wave.draw();
}

function showStory() {
  $('title').textContent = document.title;
  $('title').classList.toggle('wrong', data.mismatch !== null);
  $('about').textContent = [
    data.about,
    data.rtl && `rtl ${data.rtl}`,
    data.unit,
    count(cycles, 'cycle'),
    count(operations, 'operation'),
  ]
    .filter(Boolean)
    .join(' · ');
  $('sentences').append(
    ...data.story.map(({ text, cycle, op }) =>
      h(
        'li',
        {},
        text,
        cycle === undefined
          ? null
          : [
              ' ',
              link(`show cycle ${cycle}`, () => {
                wave.go(cycle, true);
                $('wave').scrollIntoView({ block: 'start' });
              }),
            ],
        op === undefined ? null : [' ', link(`show operation ${op}`, () => chooseOperation(op, true))],
      ),
    ),
  );
}

// Where a mismatch of RTL that is at hand may come from: a place to begin, not a finding.
function showLines() {
  $('look').hidden = data.look.length === 0;
  $('lines').append(...data.look.map((line) => h('li', {}, h('code', {}, line))));
}

function showCoverage() {
  $('coverage-body').append(
    ...data.coverage.map((row) => {
      const more = row.more ? ` and ${row.more} more` : '';
      const empty = row.empty.length
        ? h('details', {}, h('summary', {}, `${row.bins - row.hit} not hit`), `${row.empty.join('; ')}${more}`)
        : null;
      return h(
        'tr',
        {},
        h('td', {}, row.isa),
        h('td', {}, row.clause),
        h('td', {}, `${row.hit} of ${row.bins}`),
        h('td', {}, row.hits.toLocaleString('en')),
        h('td', { class: 'text' }, data.clauses[row.clause] ?? '', empty),
      );
    }),
  );
  const left = data.not_judged.length ? data.not_judged : ['Everything that the log shows was judged.'];
  $('not-judged').append(...left.map((text) => h('li', {}, text)));
}

function begin() {
  showStory();
  showLines();
  showCoverage();
  listen();
  listenToSearch();
  listenToEvents();
  listenToOperations();
  let theme = 0;
  $('theme').addEventListener('click', () => setTheme(THEMES[(theme = (theme + 1) % THEMES.length)]));
  $('keys-button').addEventListener('click', () => $('keys').showModal());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(THEMES[theme]));
  wave.painter.resize($('canvas').clientWidth, $('viewer').clientHeight);
  wave.list();
  if (data.mismatch) wave.divergence();
  else wave.fit();
  chooseOperation(chosen, false);
}

begin();
