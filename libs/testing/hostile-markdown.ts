const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/**
 * Returns Markdown that is hard to convert, by a description of the difficulty.
 *
 * @param scale factor for the size of the sources that are hard because of their size
 */
export const hostileMarkdown = (scale: number): Record<string, string> => ({
  [`${4 * scale} MB in a single line`]: 'x'.repeat(4_000_000 * scale),
  [`${2_000 * scale} list items`]: times(2_000 * scale, (i) => `${i + 1}. item ${i}`).join('\n'),
  '60 nested lists': times(60, (i) => `${'  '.repeat(i)}- level ${i}`).join('\n'),
  '60 nested quotes': times(60, (i) => `${'> '.repeat(i + 1)}level ${i}\n${'> '.repeat(i + 1)}`).join('\n'),
  [`a table of ${100 * scale} by 40`]: [
    '|'.padEnd(161, ' h |'),
    '|'.padEnd(161, '---|'),
    ...times(100 * scale, (i) => `|${` c${i} |`.repeat(40)}`),
  ].join('\n'),
  'halves of surrogate pairs': 'a \ud800 b \udc00\n\n```\n\ud83d lone \udfff\n```\n\n# H \ud800\n',
  'control characters': `${times(32, (i) => String.fromCharCode(i)).join('x')}\n\n\`\`\`\n${times(32, (i) => String.fromCharCode(i)).join('x')}\n\`\`\`\n\n[l](http://a/\u0001b "t\u0002") ![i\u0003](x.png)\n`,
  'a fence that never closes': `\`\`\`\n${'line\n'.repeat(10_000 * scale)}`,
  'HTML nested 20,000 deep': `${'<div>'.repeat(20_000)}x`,
  'aliases that multiply': `---\na: &a [x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((key, i) => `${key}: &${key} [${times(8, () => `*${'abcdef'[i]}`).join(',')}]`).join('\n')}\n---\n\nwords\n`,
});
