import { citationStyles, referenceTypes, type CitationStyle } from '#contracts/bibliography-names.js';
import type { CitationRequest, Reference } from '#contracts/bibliography.js';
import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { writeCitations } from './write-citations.js';

const BOOK: Reference = {
  type: 'book',
  title: 'The tower and its keepers',
  authors: [{ family: 'Nowak', given: 'Ada' }, { family: 'Ministry of Ports' }],
  issued: '2019-04',
  publisher: 'Sea Press',
  place: 'Gdańsk',
};
const PAPER: Reference = {
  type: 'article',
  title: 'Light $x_1$ at {sea} *now*',
  authors: [{ family: 'Kowalski', given: 'Jan' }],
  issued: '2020',
  container: 'Journal of Light',
  volume: '12',
  issue: '3',
  pages: '12–30',
  doi: '10.1000/xyz_1',
};
const WORKS = [
  { source_id: 'a', reference: BOOK },
  { source_id: 'b', reference: PAPER },
  { source_id: 'c', reference: { type: 'other', title: 'notes.txt' } as Reference },
];
const at = (source_id: string, page: string | null = null, section = '') => ({ source_id, page, section });

const write = (style: CitationStyle, groups: CitationRequest['groups'], language = 'en') =>
  writeCitations({ style, language, works: WORKS, groups });

describe('citations in a style', () => {
  it('B12 writes notes that name the page, short after the first, and a bibliography (Chicago)', async () => {
    const notes = [[at('a', '12')], [at('b', '13–14')], [at('a', '15')], [at('c', null, 'Begin')]];
    expect(await write('chicago', notes)).toEqual({
      groups: [
        'Ada Nowak and Ministry of Ports, *The Tower and Its Keepers* (Sea Press, 2019), 12.',
        'Jan Kowalski, “Light \\$x_1$ at {sea} \\*now\\*,” *Journal of Light* 12, no. 3 (2020): 13–14, <https://doi.org/10.1000/xyz_1>.',
        'Nowak and Ministry of Ports, *The Tower and Its Keepers*, 15.',
        '*Notes.txt* (n.d.), “Begin”.',
      ],
      bibliography: [
        'Kowalski, Jan. “Light \\$x_1$ at {sea} \\*now\\*.” *Journal of Light* 12, no. 3 (2020): 12–30. <https://doi.org/10.1000/xyz_1>.',
        '*Notes.txt*. n.d.',
        'Nowak, Ada, and Ministry of Ports. *The Tower and Its Keepers*. Sea Press, 2019.',
      ],
    });
  });

  it('B12 writes citations in parentheses, adjacent ones together (APA, MLA, numeric)', async () => {
    const groups = [[at('a', '12'), at('b')], [at('b', '13–14')], [at('c')]];
    const [apa, german, mla, numeric] = [
      await write('apa', groups),
      await write('apa', groups, 'de-AT'),
      await write('mla', groups),
      await write('numeric', groups),
    ];
    expect(apa.groups[0]).toBe('(Kowalski, 2020; Nowak & Ministry of Ports, 2019, p. 12)');
    expect(german.groups[1]).toBe('(Kowalski, 2020, S. 13–14)');
    expect(apa.bibliography[2]).toBe(
      'Nowak, A., & Ministry of Ports. (2019). *The tower and its keepers*. Sea Press.',
    );
    expect(mla.groups.slice(1)).toEqual(['(Kowalski, 13–14)', '(*Notes.txt*)']);
    expect(mla.bibliography[0]).toContain(
      '*Journal of Light*, vol. 12, no. 3, 2020, pp. 12–30, <https://doi.org',
    );
    expect(numeric.groups).toEqual(['\\[1, p. 12], \\[2]', '\\[2, pp. 13–14]', '\\[3]']);
    expect(numeric.bibliography[1]).toMatch(/^\\\[2\] J\. Kowalski, “Light /);
  });

  it('X15 writes the title of every work in every style, whatever it contains and whatever else is unknown', async () => {
    const character = fc.constantFrom(...'ab łß{}$\\*_[]<>#@&~^|`:', ' ');
    const title = fc
      .array(character, { minLength: 1, maxLength: 25 })
      .map((all) => `T${all.join('')}z`.replace(/ +/g, ' '));
    const name = fc.record({ family: title, given: title }, { requiredKeys: ['family'] });
    const reference = fc.record(
      {
        type: fc.constantFrom(...referenceTypes),
        title,
        authors: fc.array(name, { minLength: 1, maxLength: 5 }),
        editors: fc.array(name, { minLength: 1, maxLength: 3 }),
        issued: fc.constantFrom('1886', '2019-04', '2019-04-30', '0001'),
        container: title,
        publisher: title,
        place: title,
        volume: title,
        issue: title,
        edition: title,
        pages: title,
        url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
        doi: title,
        isbn: title,
        language: fc.constantFrom('en', 'pl', 'de-AT', 'x-unknown'),
      },
      { requiredKeys: ['title'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(reference, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...citationStyles),
        fc.constantFrom('en', 'pl', 'de', 'ja'),
        async (references, style, language) => {
          const works = references.map((one, index) => ({ source_id: String(index), reference: one }));
          const groups = works.map(({ source_id }) => [at(source_id, '3')]);
          const written = await writeCitations({ style, language, works, groups });
          expect(written.groups.every((group) => group !== '')).toBe(true);
          const all = plain(written.bibliography.join('\n'));
          for (const { title: of } of references) expect(all).toContain(plain(of!));
        },
      ),
      { numRuns: atDepth({ quick: 40, full: 1_000 }) },
    );
  });
});

/** Returns the letters of a text without escapes and case. */
const plain = (markdown: string): string => markdown.toLowerCase().replace(/[\\\s*]|&(?:amp|lt|gt);/g, '');
