import fc from 'fast-check';

const line = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 12 }) },
  fc.constantFrom('', '', '', '   ', '\t'),
  fc.constantFrom('# A', '## B', 'Under', '---', '===', '```', '~~~~', '```js', '> quoted', '>', '> - x'),
  fc.constantFrom(
    '- item',
    '1. first',
    '   go on',
    '    code',
    '| a | b |',
    '| - | - |',
    '[^s1]: note',
    '<div>',
    '<!--',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Arbitrary markdown, well-formed or not: any blocks in any order, with either line end. */
export const anyMarkdown = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, lineEnd, final]) => lines.join(lineEnd) + (final ? lineEnd : ''));
