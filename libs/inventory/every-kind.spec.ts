import { extractText } from '#extraction/extract.js';
import { isExtractedName } from '#contracts/file-kinds.js';
import { piecePhrase } from '#contracts/ledger-phrases.js';
import { atDepth } from '#testing/depth.js';
import { fileWords, RANDOM_FILE_KINDS, type FileWords, type RandomFileKind } from '#testing/random-files.js';
import fc from 'fast-check';
import { listPieces } from './list-pieces.js';
import { takeInventory } from './take-inventory.js';

const FILES = atDepth({ quick: 10, full: 500 });
const MUTATIONS = atDepth({ quick: 40, full: 1_000 });
const EXTRACTED = RANDOM_FILE_KINDS.filter(({ name }) => isExtractedName(name));

/** Words that a kind of file shows. */
function wordsOf({ name, lacks }: RandomFileKind, words: FileWords): string[] {
  const { raised: _, ...rest } = words;
  const shown = Object.entries(rest).flatMap(([part, text]) =>
    lacks.includes(part as keyof FileWords) ? [] : text,
  );
  return name.endsWith('.pdf') ? shown.map((text) => text.replace(/[^\x20-\x7e]/g, 'x')) : shown;
}

const extract = async (bytes: Uint8Array, name: string) => {
  const { text, encoding = null } = await extractText(bytes, name);
  return { text, encoding };
};

describe('the inventory of random files', () => {
  it.each(RANDOM_FILE_KINDS)('X1 lists every word of $name', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fileWords, async (words) => {
        const pieces = await listPieces(kind.write(words), kind.name);
        const text = pieces.map((piece) => piece.text).join('\n');
        expect(wordsOf(kind, words).filter((word) => !text.includes(word))).toEqual([]);
        for (const { place } of pieces) expect(place).toMatch(/^[\w" ,.-]+$/);
        expect(pieces.filter(({ place }) => piecePhrase(place) === undefined)).toEqual([]);
      }),
      { numRuns: FILES },
    );
  });

  it.each(EXTRACTED)('X1 finds every piece of $name carried or reported', async ({ name, write }) => {
    await fc.assert(
      fc.asyncProperty(fileWords, async (words) => {
        const bytes = write(words);
        const { entries, ...counts } = await takeInventory(bytes, name, await extract(bytes, name));
        expect(entries.filter(({ outcome }) => outcome === 'lost')).toEqual([]);
        expect(entries.filter((entry) => !entry.place_phrase || !entry.reason_phrase)).toEqual([]);
        expect(counts.pieces).toBe(counts.carried + counts.left_out + counts.said_twice);
      }),
      { numRuns: FILES },
    );
  });

  it('X1 detects every word that an extractor drops', async () => {
    let noticed = 0;
    await fc.assert(
      fc.asyncProperty(fileWords, fc.constantFrom(...EXTRACTED), fc.nat(), async (words, kind, pick) => {
        const bytes = kind.write(words);
        const { text, encoding } = await extract(bytes, kind.name);
        const shown = wordsOf(kind, words).filter((word) => text.includes(word));
        const dropped = shown[pick % shown.length]!;
        const inventory = await takeInventory(bytes, kind.name, {
          text: text.replaceAll(dropped, ''),
          encoding,
        });
        const lost = inventory.entries.filter(
          ({ outcome, words: found, reason }) => outcome === 'lost' && `${found} ${reason}`.includes(dropped),
        );
        expect(lost.length).toBeGreaterThan(0);
        noticed += 1;
      }),
      { numRuns: MUTATIONS },
    );
    expect(noticed).toBe(MUTATIONS);
  });

  it.each(RANDOM_FILE_KINDS)(
    'X1 explains why it cannot list a damaged $name, or lists the readable part',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(fileWords, fc.nat(), fc.nat({ max: 255 }), async (words, at, byte) => {
          const bytes = kind.write(words);
          bytes[at % bytes.length] = byte;
          const inventory = await takeInventory(bytes.subarray(0, bytes.length - (at % 7)), kind.name, {
            text: '',
            encoding: null,
          });
          expect(inventory.carried).toBe(0);
        }),
        { numRuns: FILES },
      );
    },
  );
});
