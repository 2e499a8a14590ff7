import type { PhrasingContent } from 'mdast';
import { parseMarkdown } from './parse.js';

const inlines = (markdown: string): PhrasingContent[] => {
  const [paragraph] = parseMarkdown(markdown).chapters[0]!.children;
  if (paragraph?.type !== 'paragraph') throw new TypeError('no paragraph');
  return paragraph.children;
};
const typesOf = (markdown: string) => inlines(markdown).map(({ type }) => type);

describe('text between single tildes', () => {
  it.each(['H~2~O', 'see CO~2~.', '(a)~i~', 'x~max~'])('C10 is lowered behind letters: %j', (markdown) => {
    const nodes = inlines(markdown);
    const tags = nodes.flatMap((node) => (node.type === 'html' ? [node.value] : []));
    expect(tags).toEqual(['<sub>', '</sub>']);
    // Each part has its own place, so that changes of it reach the Markdown.
    const source = nodes.map(({ position }) => markdown.slice(position!.start.offset, position!.end.offset));
    expect(source.join('')).toBe(markdown);
  });

  it.each(['not ~2~ but', '~out~', 'H~~2~~O', 'H~two words~O'])('is struck out elsewhere: %j', (markdown) =>
    expect(typesOf(markdown)).toContain('delete'),
  );
});
