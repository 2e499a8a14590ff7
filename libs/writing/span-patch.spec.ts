import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyMarkdown } from '#testing/any-markdown.js';
import { splitParagraphs } from './paragraphs.js';
import { applyPatch } from './span-patch.js';

const TEXT = '## A\n\nFirst.\n\nSecond.\n\nThird.\n';
const idOf = (words: string, text = TEXT) =>
  splitParagraphs(text).find((paragraph) => paragraph.text === words)?.id as string;

describe('revision by span patch', () => {
  it('replaces, inserts and removes named paragraphs', () => {
    const { text, refused } = applyPatch(TEXT, [
      { op: 'replace', paragraph_id: idOf('First.'), text: '\n\nFirst, better.\n\nAnd more.\n\n' },
      { op: 'insert_after', paragraph_id: idOf('Third.'), text: 'Fourth.' },
      { op: 'replace', paragraph_id: idOf('Second.'), text: '' },
    ]);
    expect(refused).toEqual([]);
    expect(text).toBe('## A\n\nFirst, better.\n\nAnd more.\n\nThird.\n\nFourth.\n');
  });

  it('rejects unrequested and unknown paragraphs, and a second edit of one paragraph', () => {
    const named = new Set([idOf('First.')]);
    const { text, refused } = applyPatch(
      TEXT,
      [
        { op: 'replace', paragraph_id: idOf('Second.'), text: 'Changed.' },
        { op: 'replace', paragraph_id: 'none', text: 'Changed.' },
        { op: 'replace', paragraph_id: idOf('First.'), text: 'Once.' },
        { op: 'replace', paragraph_id: idOf('First.'), text: 'Twice.' },
      ],
      named,
    );
    expect(text).toBe(TEXT.replace('First.', 'Once.'));
    const reasons = refused.map(({ reason }) => reason).sort();
    expect(reasons).toEqual(['edited_twice', 'not_named', 'unknown_paragraph'].concat([]).sort());
  });

  it.each(['```sh\nno end', '~~~~', '<!-- open', '[link]: /url\n\n```'])(
    'rejects words that would absorb the following text: %j',
    (words) => {
      const edit = { op: 'replace' as const, paragraph_id: idOf('First.'), text: words };
      expect(applyPatch(TEXT, [edit])).toMatchObject({
        text: TEXT,
        refused: [{ reason: 'changes_its_surroundings' }],
      });
    },
  );

  it('keeps the line ends of the text', () => {
    const text = 'One.\r\n\r\nTwo.\r\n';
    const edit = { op: 'replace' as const, paragraph_id: idOf('One.', text), text: 'A\nb\n\nC' };
    expect(applyPatch(text, [edit]).text).toBe('A\r\nb\r\n\r\nC\r\n\r\nTwo.\r\n');
  });

  it('B9 a model that rewrites everything changes only the paragraphs that the review named', () => {
    fc.assert(
      fc.property(
        anyMarkdown,
        fc.infiniteStream(fc.boolean()),
        fc.string({ unit: 'grapheme' }),
        (text, picks, words) => {
          const paragraphs = splitParagraphs(text);
          const named = new Set(paragraphs.filter(() => picks.next().value).map(({ id }) => id));
          const edits = paragraphs.map(({ id }, i) => ({
            op: i % 3 === 2 ? ('insert_after' as const) : ('replace' as const),
            paragraph_id: id,
            text: `rewritten ${words}`,
          }));
          const { text: patched, applied } = applyPatch(text, edits, named);
          expect(applied.every((edit) => named.has(edit.paragraph_id))).toBe(true);
          // The text between and around the edited paragraphs is still there, in order, byte for byte.
          let at = 0;
          let from = 0;
          for (const paragraph of paragraphs) {
            const edit = applied.find((one) => one.paragraph_id === paragraph.id);
            if (!edit) continue;
            const kept = text.slice(from, edit.op === 'replace' ? paragraph.start : paragraph.end);
            expect(patched.slice(at, at + kept.length)).toBe(kept);
            const rest = text.slice(paragraph.end);
            at = patched.indexOf('rewritten', at + kept.length);
            from = paragraph.end;
            expect(at).toBeGreaterThanOrEqual(0);
            at = rest === '' ? patched.length : at + trimmedLength(patched.slice(at), words);
          }
          expect(patched.endsWith(text.slice(from))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function trimmedLength(text: string, words: string): number {
  const written = `rewritten ${words}`.trimEnd().replace(/\r?\n/g, text.includes('\r\n') ? '\r\n' : '\n');
  return text.startsWith(written) ? written.length : `rewritten ${words}`.trimEnd().length;
}
