import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyMarkdown } from '#testing/any-markdown.js';
import { paragraphAt, splitParagraphs } from './paragraphs.js';

const TEXT = [
  '# Lamps',
  '',
  'Two lines',
  'of one paragraph.',
  '',
  '- one',
  '- two',
  '',
  '- three, after a blank line',
  '',
  '> quoted',
  '>',
  '> and on',
  '',
  '```sh',
  'echo',
  '',
  'done',
  '```',
  '| a | b |',
  '| - | - |',
  '| 1 | 2 |',
  '',
  '[^s1]: A note',
  '## Next',
  'Straight below.',
  '',
].join('\n');

describe('paragraphs of a markdown text', () => {
  it.each([
    ['YAML', '---\ntitle: The the lamp\n\ntags:\n  - sea  light\n---'],
    ['TOML', '+++\ntitle = "The the lamp"\n\n[params]\nnote = "sea  light"\n+++'],
  ])('treats front matter in %s as one block', (_, head) => {
    const found = splitParagraphs(`${head}\n\n# Lamps\n`);
    expect(found.map(({ kind, text }) => [kind, text])).toEqual([
      ['front_matter', head],
      ['heading', '# Lamps'],
    ]);
  });

  it.each(['+++\nwords\n+++\n', '+++\ntitle = "x"\n'])('treats %j as text', (text) => {
    expect(splitParagraphs(text).map(({ kind }) => kind)).not.toContain('front_matter');
  });

  it('keeps a list, a quotation, a fence and a table whole', () => {
    const found = splitParagraphs(TEXT);
    expect(found.map(({ kind, line }) => `${kind}@${line}`)).toEqual([
      'heading@1',
      'paragraph@3',
      'list@6',
      'quote@11',
      'code@15',
      'table@20',
      'footnote@24',
      'heading@25',
      'paragraph@26',
    ]);
    expect(found[4]?.text).toBe('```sh\necho\n\ndone\n```');
    expect(paragraphAt(found, TEXT.indexOf('done'))?.kind).toBe('code');
    expect(paragraphAt(found, TEXT.indexOf('\n\n- one') + 1)).toBeNull();
  });

  it('derives the name of a paragraph from its words, so that others may change; numbers equal ones', () => {
    const before = splitParagraphs('One.\n\nTwo.\n\nTwo.\n');
    const after = splitParagraphs('Zero.\n\nOne and more.\n\nTwo.\n');
    expect(before[2]?.id).toBe(`${before[1]?.id}-2`);
    expect(after[2]?.id).toBe(before[1]?.id);
  });

  it('covers every non-blank character exactly once and in order, in any text', () => {
    fc.assert(
      fc.property(anyMarkdown, (text) => {
        let at = 0;
        for (const paragraph of splitParagraphs(text)) {
          expect(text.slice(at, paragraph.start).trim()).toBe('');
          expect(text.slice(paragraph.start, paragraph.end)).toBe(paragraph.text);
          expect(paragraph.end).toBeGreaterThan(paragraph.start);
          at = paragraph.end;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
      { numRuns: 500 },
    );
  });
});
