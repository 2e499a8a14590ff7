import type { Database } from '#db/client.js';
import type { Findings } from '../findings.js';
import { send, untilThere, type OtherWork } from './other-work.js';

const SECTIONS = 24;
/** Long enough to be cut into several passages, with a unique word in each section. */
const textOf = (name: string, words: string) =>
  `# ${name}\n\n${Array.from(
    { length: SECTIONS },
    (_, index) =>
      `## Section ${index + 1}\n\n${`The ${words} of berth ${index + 1} were read at dawn and written down. `.repeat(9)}\n`,
  ).join('\n')}`;
const FILES: Record<string, string> = {
  'harbour.md': textOf('Harbour', 'mooring lines'),
  'lights.txt': textOf('Lights', 'lanterns'),
  'table.csv': 'ship,berth\nAurora,12\nBorealis,14\n',
};
const NEW_CONTENT = textOf('Harbour', 'anchor chains');
/** Most of its passages stay unchanged, the last ones are removed. */
const LAST_CONTENT = `${NEW_CONTENT.slice(0, NEW_CONTENT.indexOf('## Section 20'))}## Section 20\n\nThe rest was lost at sea.\n`;

interface Source {
  name: string;
  state: string;
}

/**
 * Files of a collection, one of which is replaced, possibly during indexing, and again afterwards: every source ends
 * `ready`, each passage exists once.
 */
export const knowledgeWork: OtherWork = {
  name: 'knowledge',
  async drive(place) {
    const made = await send(place, 'POST', '/api/knowledge/collections', {
      name: 'harbour',
      purpose: 'knowledge',
    });
    const id = String(made.json.id);
    const path = `/api/knowledge/collections/${id}/sources`;
    const add = (name: string, text: string) => {
      const form = new FormData();
      form.append('file', new Blob([text]), name);
      return send(place, 'POST', path, form);
    };
    for (const [name, text] of Object.entries(FILES)) await add(name, text);
    await add('harbour.md', NEW_CONTENT);
    const isSettled = ({ state }: Source) => state === 'ready' || state === 'failed';
    const settled = () => untilThere(place, path, ({ json }) => (json.items as Source[]).every(isSettled));
    await settled();
    await add('harbour.md', LAST_CONTENT);
    await settled();
    const texts = { ...FILES, 'harbour.md': LAST_CONTENT };
    return { id, check: (findings) => checkSources(place.db, id, texts, findings) };
  },
};

/**
 * Checks that each source is ready, and that its passages are its text, in order, without duplicates, in segments that
 * are in service.
 */
export async function checkSources(
  db: Database,
  collectionId: string,
  texts: Record<string, string>,
  findings: Findings,
): Promise<void> {
  const sources = await db.knowledgeSource.findMany({ where: { collectionId } });
  const names = sources.map(({ name }) => name).sort();
  const wanted = Object.keys(texts).sort();
  findings.expect(String(names) === String(wanted), 'lost', `has the sources ${names.join(', ')}`);
  for (const { id, name, state, problem, chunks } of sources) {
    findings.expect(state === 'ready', 'lost', `${name} is ${state}: ${problem}`);
    const passages = await db.knowledgeChunk.findMany({
      where: { sourceId: id },
      orderBy: [{ startAt: 'asc' }],
    });
    const places = new Set(passages.map(({ startAt, endAt }) => `${startAt}-${endAt}`));
    findings.expect(places.size === passages.length, 'doubled', `${name} has a passage twice`);
    findings.expect(
      passages.length === chunks && chunks > 0,
      'lost',
      `${name} has ${passages.length} of ${chunks} passages`,
    );
    const text = texts[name] ?? '';
    findings.expect(
      passages.every(({ startAt, endAt, text: passage }) => text.slice(startAt, endAt) === passage),
      'altered',
      `${name} has passages of another text`,
    );
    const covered = passages.reduce((sum, passage) => sum + words(passage.text), 0);
    findings.expect(covered >= words(text), 'lost', `${name}: ${covered} of ${words(text)} words indexed`);
    const segments = await db.knowledgeSegment.findMany({
      where: { id: { in: passages.map(({ segmentId }) => segmentId) } },
    });
    findings.expect(
      segments.every(({ live }) => live),
      'lost',
      `${name} has passages that are not in service`,
    );
  }
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
