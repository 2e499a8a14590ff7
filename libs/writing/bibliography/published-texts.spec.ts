import fc from 'fast-check';
import { assemble, type CitedText } from './assemble.js';
import { changeInText, shiftAt, spanOf, type PublishedText } from './published-texts.js';

const cited = (prefix: string, content: string): CitedText => ({
  ...{ title: `Chapter ${prefix}`, content, prefix },
  citations: [
    {
      label: 's1',
      source_id: 'src',
      reference: { title: 'Log' },
      author: null,
      page: null,
      heading_path: [],
    },
  ],
});
const piece = fc.constantFrom('One.', ' two', '[^s1]', '\n\n', ' ', '`code`', '\n\n[^s1]: note\n\n', 'ż');
const content = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => `Begin ${pieces.join('')}`);
const citations = { groups: Array.from({ length: 50 }, () => '(Log)'), bibliography: [] };

describe('a change of a publication', () => {
  it('X9 is in the text whose words it changes, in every style', () => {
    fc.assert(
      fc.property(
        fc.array(content, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('chicago' as const, 'numeric' as const),
        (contents, style) => {
          const front = { title: 'Book' };
          const texts = contents.map((text, i) => cited(`c${i}-`, text));
          const { markdown, copied } = assemble(front, texts, { style, citations });
          const published: PublishedText[] = contents.map((text, i) => ({
            ...{ chapter_id: null, content: text, copied: copied[i]! },
          }));
          for (const [index, parts] of copied.entries())
            for (const { at, length } of parts)
              for (let start = at; start < at + length; start++) {
                const whole = { start, end: start + 1, at: start, text: '', lead: null };
                const placed = changeInText(published, whole)!;
                expect(placed.text).toBe(index);
                const { start: from, end: to } = placed.change;
                expect(contents[index]!.slice(from, to)).toBe(markdown[start]);
                const text = published[index]!;
                expect(spanOf(text).start + from + shiftAt(text, from)).toBe(start);
              }
          const title = markdown.indexOf('# Chapter c1-');
          const last = { start: title, end: title, at: title, text: 'New.\n\n', lead: 0 };
          if (title < 0) return;
          const { text, change } = changeInText(published, last)!;
          expect(text).toBe(0);
          expect(change).toMatchObject({ text: '\n\nNew.', lead: 2 });
          expect(changeInText(published, { ...last, lead: null })).toBeNull();
        },
      ),
    );
  });
});
