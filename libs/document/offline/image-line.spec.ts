import { baseName, normalizeSourceName } from '#contracts/source-name.js';
import { findReferences } from '#markdown/references/find.js';
import { resolveReference } from '#markdown/references/resolve.js';
import { buildStructure } from '#office/structure/build.js';
import fc from 'fast-check';
import { imageLine } from './image-line.js';

const names = fc
  .string({ unit: fc.constantFrom(...'ab/ .-_!"#$%&\'()*+,:;<=>?@[]^`{|}~äß'), minLength: 1, maxLength: 12 })
  .map((stem) => normalizeSourceName(`${stem}.png`).name)
  .filter((name) => name !== undefined);

describe('the line of an image that no text places', () => {
  it.each([
    'R&D/plan.png',
    '#1/plan.png',
    '100 %/plan.png',
    'a{b}/plan.png',
    'c:/plan.png',
    'what?/plan.png',
  ])('D4 D26 leads the scan and the document to %s', (name) =>
    expect(filesMeant(imageLine(name), name)).toEqual([name, name]),
  );

  it('D4 D26 leads the scan and the document to a file of any name', () => {
    fc.assert(fc.property(names, (name) => expect(filesMeant(imageLine(name), name)).toEqual([name, name])));
  });
});

/** The file that the reference means, as the validator reads the line and as the document does. */
function filesMeant(line: string, name: string): (string | null)[] {
  const refs = [...findReferences(line, 'manuscript.md'), ...buildStructure(line).assets];
  return refs.map(({ ref }) => resolveReference(ref, [name, `other/${baseName(name)}`]).match);
}
