import { factsIn } from '#writing/facts/facts.js';
import { indexTerms } from './index-terms.js';

describe('indexTerms', () => {
  it('65.7 lists the names and terms that chapters state, in the order of the language, with their lines', () => {
    const content =
      'The *brine level* rose.[^1]\n\nThen Maria Olsen met Ernst Änger in 1912.\n\nMaria Olsen left.';
    const markdown = `---\ntitle: x\n---\n\n# One\n\n${content.replace('[^1]', '[^c1-1]')}\n`;
    const cut = content.indexOf('[^1]');
    const start = markdown.indexOf('The *');
    const copied = [
      { at: start, from: 0, length: cut },
      { at: start + cut + '[^c1-1]'.length, from: cut + 4, length: content.length - cut - 4 },
    ];
    expect(indexTerms([{ facts: factsIn(content), copied }], markdown, 'de')).toEqual([
      { term: 'brine level', lines: [7] },
      { term: 'Ernst Änger', lines: [9] },
      { term: 'Maria Olsen', lines: [9, 11] },
    ]);
  });
});
