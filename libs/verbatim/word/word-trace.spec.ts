import { englishText } from '#contracts/phrases/phrase.js';
import { buildLedger, ledgerPage, ledgerSchema, withFacts, withTexts, type LedgerSource } from '../ledger.js';
import { traceToWord } from './word-trace.js';

const notes = { name: 'notes.md', text: '# Notes\n\nSome **bold**\nwords.\n\n- item\n' };
const log = { name: 'a.log', text: 'one\n  two\n' };
const MANUSCRIPT = '# Notes\n\nSome **bold**\nwords.\n\n- item\n\n# Log\n\n```log\none\n  two\n```\n';
const SHOWN = ['', 'Notes', 'Some bold words.', '• item', 'Log', 'one', '  two'];

const english = (page: string) => withTexts(page, englishText);
const storedPage = (...given: Parameters<typeof ledgerPage>) =>
  Buffer.concat(ledgerPage(...given)).toString();
const ledgerHtml = (...given: Parameters<typeof ledgerPage>) => english(storedPage(...given));
const trace = (shown: string[], manuscript: string, ...sources: LedgerSource[]) => {
  const ledger = buildLedger(manuscript, sources, { policy: 'verbatim' });
  const { word, textOf } = traceToWord(ledger, sources, shown);
  const traced = ledgerSchema.parse({ ...ledger, word });
  return { word, textOf, page: ledgerHtml(traced, manuscript, sources, textOf) };
};

/** The last two cells of each row of a source, without their marks. */
const column = (page: string, name: string) => {
  const [, table = ''] = page.split(`<h2>${name}</h2>`);
  const [own = ''] = table.split('</table>');
  const cell = (html = '') => html.replace(/<[^>]*>/g, '');
  return [...own.matchAll(/<tr class="[^"]*">(.*?)<\/tr>/gs)].map(([, row = '']) => {
    const [, , , , place, text] = row.split('</td>').map((html) => cell(html));
    return `${place}|${text}`;
  });
};

describe('traceToWord', () => {
  it('X1 returns the position in the Word file for each line of each source', () => {
    const { word } = trace(SHOWN, MANUSCRIPT, notes, log);
    expect(word).toEqual({
      lines: 6,
      coverage: 1,
      files: [
        { wanted: 4, shown: 4 },
        { wanted: 2, shown: 2 },
      ],
      runs: [
        { source: 0, line: 1, count: 1, shown: 1, step: 0 },
        { source: 0, line: 3, count: 2, shown: 2, step: 0 },
        { source: 0, line: 6, count: 1, shown: 3, step: 0 },
        { source: 1, line: 1, count: 2, shown: 5, step: 1 },
      ],
      missing: [],
      left_out: 0,
    });
  });

  it('X1 the page has a column for the Word file, with the reason if a line is not shown', () => {
    const { page } = trace(SHOWN, MANUSCRIPT, notes, log);
    expect(column(page, 'notes.md')).toEqual(['1|Notes', '|', '2|Some bold', '2|the same', '|', '3|item']);
    expect(column(page, 'a.log')).toEqual(['5|the same', '6|the same']);
    expect(page).toContain('it contains 100 % of the lines that are carried');
    expect(page).toContain('(6 of 6)');
    expect(page).toContain('<td>4 of 4</td>');
  });

  it('X1 reports words that the Word file lost, in the figures, the column and the summary of a part', () => {
    const { word, page } = trace(SHOWN.toSpliced(5, 1), MANUSCRIPT, notes, log);
    expect(word.missing).toEqual([{ source: 1, line: 1, text: 'one' }]);
    expect(word.files[1]).toEqual({ wanted: 2, shown: 1 });
    expect(column(page, 'a.log')).toEqual(['|not in the Word file: one', '5|the same']);
    expect(page).toContain('it contains 83.33 % of the lines');
    expect(page).toContain('<td class="lost">1 of 2</td>');
    expect(page).toContain('<td>not in the Word file</td><td class="t"><del>one</del></td>');
    const long = { name: 'b.log', text: Array.from({ length: 1_500 }, (_, i) => `entry ${i}`).join('\n') };
    const shown = ['B', ...long.text.split('\n').toSpliced(1_200, 1)];
    expect(trace(shown, `# B\n\n\`\`\`log\n${long.text}\n\`\`\`\n`, long).page).toContain(
      '<summary class="different">Lines 1001–1500: 500 carried, 1 not in the Word file</summary>',
    );
  });

  it('X1 a line that the manuscript lost or altered is marked as such in the column for the Word file', () => {
    const manuscript = MANUSCRIPT.replace('  two', '  too').replace('\n- item\n', '');
    const { page } = trace(['Notes', 'Some bold words.', 'Log', 'one', '  too'], manuscript, notes, log);
    expect(column(page, 'notes.md').at(-1)).toBe('|not in the manuscript');
    expect(column(page, 'a.log')).toEqual(['4|the same', '|not traced: altered in the manuscript']);
  });

  it('X1 the page states if the Word file was not read back yet, or not traced by an older release', () => {
    const sources = [log];
    const page = storedPage(
      buildLedger('```log\none\n  two\n```\n', sources, { policy: 'verbatim' }),
      '',
      sources,
    );
    expect(english(page)).toContain('not made and read back yet');
    expect(english(page)).not.toContain('<th>Word file</th>');
    const facts = { title: 't', runId: 'r', written: new Date(0), results: [] };
    const older = page.replace(/<p id="word">.*?<\/p>/, '');
    const sent = (stored: string) => english(withFacts(Buffer.from(stored), facts).toString());
    expect(sent(page)).not.toContain('was not recorded');
    expect(sent(older)).toContain('was not recorded by the release');
  });

  it('X1 stores few entries for a long log or table', () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `entry ${i}`);
    const text = lines.join('\n');
    const { word } = trace(['B', ...lines], `# B\n\n\`\`\`log\n${text}\n\`\`\`\n`, { name: 'b.log', text });
    expect(word.runs).toEqual([{ source: 0, line: 1, count: 5_000, shown: 2, step: 1 }]);
    const rows = lines.map((_, i) => `${i},x${i}`);
    const table = `# T\n\n| a | b |\n| - | - |\n${rows.map((row) => `| ${row.replace(',', ' | ')} |`).join('\n')}\n`;
    const csv = { name: 't.csv', text: `a,b\n${rows.join('\n')}\n` };
    const cells = ['T', 'a', 'b', ...rows.flatMap((row) => row.split(','))];
    expect(trace(cells, table, csv).word.runs).toEqual([
      { source: 0, line: 1, count: 5_001, shown: 2, step: 2 },
    ]);
  });
});
