import { describe, expect, it } from '@jest/globals';
import { getDocumentProxy } from 'unpdf';
import { buildStructure } from '../structure/build.js';
import { typstPdf } from './typst.js';

type Opened = Awaited<ReturnType<typeof getDocumentProxy>>;
interface Entry {
  title: string;
  dest: string | unknown[] | null;
  items: Entry[];
}

const CHAPTERS = 6;
const chapter = (n: number) => `# Chapter ${n}: Żółw (5 0 R)

See [the second](#chapter-2-żółw-5-0-r) and a [place](https://e.org/${n}).[^${n}]

${`Words ${n} of it. `.repeat(120)}

## Section ${n}

${n % 2 ? `Table: Levels of ${n}\n\n` : ''}| A | B |
|---|---|
| ${n} | 2 |

Again[^${n}] and [^x].

`;
const numbers = Array.from({ length: CHAPTERS }, (_, n) => n + 1);
const notes = numbers.map((n) => `[^${n}]: Note ${n} of it.\n`).join('');
const structure = buildStructure(`${numbers.map(chapter).join('')}${notes}[^x]: The same note.\n`);
const options = {
  title: 'A long one',
  language: 'pl',
  toc: true,
  listOfFigures: true,
  cover: true,
  chaptersOnNewPages: true,
};
const whole = () => typstPdf(structure, async () => null, options);
const inParts = () => typstPdf(structure, async () => null, { ...options, partSize: 4_000 });

const open = (bytes: Uint8Array) => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });

/** Returns the text of a page, without the number at its foot. */
async function wordsOf(document: Opened, number: number): Promise<string> {
  const { items } = await (await document.getPage(number)).getTextContent();
  const text = (items as { str?: string }[]).map(({ str }) => str ?? '').join(' ');
  return text
    .replace(/\s+/g, ' ')
    .replace(/(\d+)(?: \/ \d+)?\s*$/, '')
    .trim();
}

const pagesOf = (document: Opened) => Array.from({ length: document.numPages }, (_, n) => n + 1);
const allWords = (document: Opened) => Promise.all(pagesOf(document).map((n) => wordsOf(document, n)));

async function pageAt(document: Opened, target: string | unknown[] | null): Promise<number> {
  const [page] = (typeof target === 'string' ? await document.getDestination(target) : target) ?? [];
  return (await document.getPageIndex(page as { num: number; gen: number })) + 1;
}

async function outlineOf(document: Opened): Promise<[string, number][]> {
  const flat = (entries: Entry[]): Entry[] => entries.flatMap((entry) => [entry, ...flat(entry.items)]);
  const entries = flat(((await document.getOutline()) ?? []) as Entry[]);
  return Promise.all(
    entries.map(async ({ title, dest }) => [title, await pageAt(document, dest)] as [string, number]),
  );
}

describe('a long document, set in parts', () => {
  it('B12 has the same pages as the document set as a whole, with consecutive footnotes', async () => {
    const [one, joined] = [await open(await whole()), await open(await inParts())];
    const [wanted, shown] = [await allWords(one), await allWords(joined)];
    const isContents = (text: string) => text.includes('Spis treści');
    expect(shown.filter((text) => !isContents(text))).toEqual(wanted.filter((text) => !isContents(text)));
    expect(shown).toHaveLength(wanted.length);
    expect(shown.join(' ')).toContain(`${CHAPTERS + 1} Note ${CHAPTERS} of it.`);
  });

  it('B12 links the table of contents, the outline and the text to the right pages', async () => {
    const [one, joined] = [await open(await whole()), await open(await inParts())];
    const outline = await outlineOf(joined);
    expect(outline).toEqual(await outlineOf(one));
    expect(outline).toHaveLength(2 * CHAPTERS);
    const links = async (number: number) => {
      const found = await (await joined.getPage(number)).getAnnotations();
      return Promise.all(
        (found as { dest?: string; url?: string }[]).map(
          async ({ dest, url }) => url ?? pageAt(joined, dest ?? null),
        ),
      );
    };
    // An entry is a link for each of its pieces.
    expect(new Set(await links(2))).toEqual(new Set(outline.map(([, page]) => page)));
    const contents = await wordsOf(joined, 2);
    for (const [title, page] of outline)
      expect(contents.replace(/[ .]+/g, ' ')).toContain(`${title.replace(/[ .]+/g, ' ')} ${page}`);
    const second = outline.find(([title]) => title.startsWith('Chapter 2'))![1];
    const [, last] = outline.at(-2)!;
    expect((await links(last)).slice(0, 2)).toEqual([second, `https://e.org/${CHAPTERS}`]);
  });

  it('65.5 lists tables with their pages, as in the document set as a whole', async () => {
    const captions = async (bytes: Uint8Array) => {
      const document = await open(bytes);
      const pages = (await allWords(document)).filter((text) => text.includes('Levels of 1 '));
      return pages[0]!
        .replaceAll('.', ' ')
        .replace(/\s+/g, ' ')
        .match(/Levels of \d+ \d+/g);
    };
    const [wanted, shown] = [await captions(await whole()), await captions(await inParts())];
    expect(wanted).toHaveLength(Math.ceil(CHAPTERS / 2));
    expect(shown).toEqual(wanted);
  });

  it('B12 has tags on every page, and the same bytes for the same input', async () => {
    const [first, again] = [await inParts(), await inParts()];
    expect(Buffer.from(first).equals(Buffer.from(again))).toBe(true);
    const joined = await open(first);
    for (const number of pagesOf(joined).slice(1)) {
      const tags = JSON.stringify(await (await joined.getPage(number)).getStructTree());
      expect(tags).toMatch(/"role":"(?:P|H1|H2|Link|Table)"/);
    }
    expect(Buffer.from(first).includes('scriptorium-within')).toBe(false);
  });
});
