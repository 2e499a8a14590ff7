import fc from 'fast-check';
import { atDepth } from '#testing/depth.js';
import { buildStructure } from '../structure/build.js';
import { structureSchema } from '#contracts/structure.js';
import { checkDocx } from './check/check.js';
import { randomDocument, toMarkdown, type Model } from '#testing/docx/random-document.js';
import { docxSequence, modelSequence } from '#testing/docx/sequence.js';
import { readDocx } from './read/read.js';
import { writeDocx } from './write/write.js';

const noAssets = async (): Promise<null> => null;

async function roundTrip(blocks: readonly Model[]): Promise<Uint8Array> {
  const structure = buildStructure(toMarkdown(blocks));
  const bytes = await writeDocx(structure, noAssets);
  expect(docxSequence(readDocx(bytes))).toEqual(modelSequence(blocks));
  expect(checkDocx(structure, bytes)).toEqual([]);
  structureSchema.parse(structure);
  return bytes;
}

/** The machine may be busy with other specs. */
const TIMEOUT_MS = 180_000;

describe('markdown → DOCX → read back', () => {
  it(
    'D24 equals the document element by element, for random documents',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomDocument, async (blocks) => void (await roundTrip(blocks))),
        { numRuns: atDepth({ quick: 50, full: 500 }) },
      );
    },
    TIMEOUT_MS,
  );

  it(
    'D24 produces the same bytes for the same input',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomDocument, async (blocks) => {
          const structure = buildStructure(toMarkdown(blocks));
          const [first, second] = await Promise.all(
            [1, 2].map(() => writeDocx(structure, noAssets, { toc: true, title: 'T' })),
          );
          expect(Buffer.compare(first ?? Buffer.alloc(0), second ?? Buffer.alloc(1))).toBe(0);
        }),
        { numRuns: 12 },
      );
    },
    TIMEOUT_MS,
  );
});
