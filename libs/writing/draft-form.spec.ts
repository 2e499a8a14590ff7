import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { listFormProblems } from './draft-form.js';

const CHAPTER = '## Oil\n\nThe lamp burned oil.[^s1] Who paid?\n\n## Ice\n\nIt froze in 1893.[^s2]\n';
const listed = (text: string, form = { title: false, cited: true }) =>
  listFormProblems(text, form).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe('the form of a draft', () => {
  it.each([
    ['a chapter', CHAPTER],
    ['an honest chapter', readFileSync('test/fixtures/claims/chapter.md', 'utf8')],
    [
      'links, indices in code, tasks and notes',
      '## Oil\n\n[1](#one) and `a[1]`, [see][1].[^s1]\n\n- [x] done\n\n[^1]: [2] of it\n\n[1]: /one\n',
    ],
    ['years in brackets', '## Oil\n\nThe keeper [1871] and [sic] he.[^s1]\n'],
    ['code', '## Oil\n\nRun it.[^s1]\n\n```\nlist[1]\n```\n'],
  ])('is right in %s', (_, text) => expect(listed(text)).toEqual([]));

  it.each([
    ['text_before_heading', 'Natürlich, hier ist es.', `Natürlich, hier ist es.\n\n${CHAPTER}`],
    ['title_heading', '# Chapter 2', `# Chapter 2\n\n${CHAPTER}`],
    [
      'text_after_end',
      'Soll ich das nächste Kapitel schreiben?',
      `${CHAPTER}\nSoll ich das nächste Kapitel schreiben?\n`,
    ],
    ['text_after_end', 'Daj znać, jeśli coś zmienić.', `${CHAPTER}\n---\n\nDaj znać, jeśli coś zmienić.\n`],
    ['text_after_end', '*(912 mots)*', `${CHAPTER}\n*(912 mots)*\n`],
    ['foreign_citation', '[1]', CHAPTER.replace('[^s2]', ' [1]')],
    ['foreign_citation', '[2, 3]', CHAPTER.replace('[^s2]', '[2, 3]')],
    [
      'foreign_citation',
      '[Quelle: Stationsbuch, S. 4]',
      CHAPTER.replace('[^s2]', ' [Quelle: Stationsbuch, S. 4]'),
    ],
    ['foreign_citation', '【1†source】', CHAPTER.replace('[^s2]', '【1†source】')],
  ])('has the problem %s: %j', (kind, words, text) => expect(listed(text)).toEqual([[kind, words]]));

  it('lets a title begin an article, but no second one', () => {
    const article = { title: true, cited: true };
    expect(listed(`# Light\n\n${CHAPTER}`, article)).toEqual([]);
    expect(listed(`# Light\n\n${CHAPTER}\n# Light\n`, article)).toEqual([['title_heading', '# Light']]);
  });

  it('lets fiction end with a question or after a rule, because it cites nothing', () => {
    const novel = { title: false, cited: false };
    expect(listed('## Ice\n\nShe waited.\n\n***\n\nWho was there?\n', novel)).toEqual([]);
  });

  it('lists places inside the text, in order, for any text', () => {
    const piece = fc.constantFrom(
      '# a',
      '## b',
      'words.',
      '---',
      '***',
      '[1]',
      '【2†s】',
      '[^s1]',
      '(x)',
      '`',
      '?',
      '\n',
      '\n\n',
      ' ',
      '- ',
    );
    const text = fc.array(piece, { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.boolean(), fc.boolean(), (markdown, title, cited) => {
        const places = listFormProblems(markdown, { title, cited });
        for (const [i, { start, end }] of places.entries()) {
          expect(start).toBeGreaterThanOrEqual(places[i - 1]?.start ?? 0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(markdown.length);
        }
      }),
    );
  });
});
