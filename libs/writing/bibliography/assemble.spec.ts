import type { CitationStyle } from '#contracts/bibliography-names.js';
import type { WrittenCitations } from '#contracts/bibliography.js';
import { assemble, citationRequest, type CitedText, type LabelledCitation } from './assemble.js';

const citation = (label: string, more: Partial<LabelledCitation> = {}): LabelledCitation => ({
  label,
  source_id: `src_${label}`,
  reference: { title: `Work ${label}`, authors: [{ family: 'Nowak', given: 'Ada' }], issued: '2019-04-02' },
  author: 'Ada Nowak',
  page: null,
  heading_path: [],
  ...more,
});

const CONTENT = [
  'It is 80 metres high.[^s1][^s2] It burned in 1886[^s2]; why?[^s1] So[^own].',
  '```\ncode [^s1]\n```',
  '[^s1]: An old note.',
  '[^own]: My note.',
].join('\n\n');
const CHAPTER: CitedText = {
  title: 'The  tower',
  content: CONTENT,
  citations: [
    citation('s1', { page: '12', heading_path: ['A *part*'] }),
    citation('s2', { author: null, reference: { title: 'Log', url: 'https://example.org/log' } }),
    citation('unused', { source_id: 'src_s1', reference: { title: 'Work s1' } }),
  ],
  prefix: 'c1-',
};
const FRONT = { title: 'The Coast', author: 'Jan Kowalski', language: 'en-GB' };

const written = (
  style: CitationStyle,
  groups: string[],
): { style: CitationStyle; citations: WrittenCitations } => ({
  style,
  citations: { groups, bibliography: ['\\[1] First', 'Second'] },
});

describe('a publication', () => {
  it('B12 has front matter with the author, notes that name the page, and a bibliography', () => {
    expect(assemble(FRONT, [CHAPTER]).markdown).toBe(`---
title: "The Coast"
author: "Jan Kowalski"
lang: "en-GB"
---

# The tower

It is 80 metres high.[^c1-s1][^c1-s2] It burned in 1886[^c1-s2]; why?[^c1-s1] So[^own].

\`\`\`
code [^s1]
\`\`\`



[^own]: My note.

[^c1-s1]: Ada Nowak, *Work s1*, “A \\*part\\*”, p. 12 (2019-04-02).

[^c1-s2]: *Log*, <https://example.org/log>.

# Bibliography

- *Log*, <https://example.org/log>
- Ada Nowak: *Work s1*
`);
  });

  it('B12 writes the page in the language of the text', () => {
    const note = (language: string) =>
      /\[\^c1-s1\]: (.*)/.exec(assemble({ ...FRONT, language }, [CHAPTER]).markdown)![1];
    expect(note('de')).toContain('S. 12');
    expect(note('pl-PL')).toContain('s. 12');
  });

  it('B12 has one note for each citation in a style with notes, in the order of the text', () => {
    const { groups, works } = citationRequest([CHAPTER], 'chicago', 'en');
    expect(groups).toEqual([
      [{ source_id: 'src_s1', page: '12', section: 'A *part*' }],
      [{ source_id: 'src_s2', page: null, section: '' }],
    ]);
    expect(works.map(({ source_id }) => source_id)).toEqual(['src_s1', 'src_s2']);
    const text = assemble(FRONT, [CHAPTER], written('chicago', ['One.', 'Two.'])).markdown;
    expect(text).toContain('high.[^c1-s1][^c1-s2] It');
    expect(text).toContain('[^c1-s1]: One.\n\n[^c1-s2]: Two.');
    expect(text).toContain('- \\[1] First\n- Second');
  });

  it('B12 writes citations before the end of the sentence in the other styles, adjacent ones together', () => {
    const { groups } = citationRequest([CHAPTER], 'apa', 'en');
    expect(groups.map((group) => group.map(({ source_id }) => source_id))).toEqual([
      ['src_s1', 'src_s2'],
      ['src_s2'],
      ['src_s1'],
    ]);
    const { markdown: text, copied } = assemble(
      FRONT,
      [CHAPTER],
      written('numeric', ['(A; B)', '(B)', '(A)']),
      2,
    );
    for (const { at, from, length } of copied[0]!)
      expect(text.slice(at, at + length)).toBe(CONTENT.slice(from, from + length));
    expect(text).toContain('It is 80 metres high (A; B). It burned in 1886 (B); why? (A) So[^own].');
    expect(text).toContain('code [^s1]');
    expect(text).toContain('\n## Bibliography\n\n\\[1] First\n\nSecond\n');
    expect(text).not.toContain('An old note');
  });
});
