import { bookCollectionId } from '#book/store/projects.js';
import { projectRoot } from '#embedded/project-root.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Findings } from '../findings.js';
import { checkRunLog, runEnded, send, untilThere, type OtherWork, type WorkPlace } from './other-work.js';

const SOURCES = ['interview', 'letters', 'notes', 'paper'];
const CHAPTERS = 3;

interface Accepted {
  id: string;
  content: string;
}

/** A book without a model: every chapter is written and indexed once, and an accepted one is unchanged. */
export const bookWork: OtherWork = {
  name: 'book',
  async drive(place) {
    const id = await newBook(place);
    const runs = [await modeOf(place, id, 'toc'), await modeOf(place, id, 'chapter', { chapter_number: 1 })];
    const accepted = await acceptFirst(place, id);
    const book = await modeOf(place, id, 'book');
    const check = async (findings: Findings) => {
      const chapters = await checkChildren(place, book, findings);
      await checkBook(place, id, [...runs, book, ...chapters], accepted, findings);
    };
    return { id, check };
  },
};

async function newBook(place: WorkPlace): Promise<string> {
  const made = await send(place, 'POST', '/api/books/projects', {
    title: 'The Light at Marrow Point',
    language: 'en',
    chapter_length: 'short',
    chapter_count: CHAPTERS,
  });
  const id = String(made.json.id);
  for (const title of SOURCES) {
    const content = await readFile(join(projectRoot(), `examples/book/${title}.md`), 'utf8');
    await send(place, 'POST', `/api/books/projects/${id}/sources`, { title, content, priority: 'primary' });
  }
  return id;
}

/** Runs a mode to its end. @returns the run's ID @throws Error if it did not complete */
async function modeOf(place: WorkPlace, project_id: string, mode: string, inputs = {}): Promise<string> {
  const started = await send(place, 'POST', '/api/agents/runs', { project_id, mode, inputs });
  const id = String(started.json.id);
  const { json } = await runEnded(place, id);
  if (json.status !== 'completed')
    throw new Error(`the run ${id} (${mode}) is ${String(json.status)}: ${JSON.stringify(json.error)}`);
  return id;
}

async function acceptFirst(place: WorkPlace, projectId: string): Promise<Accepted> {
  const list = await untilThere(place, `/api/books/projects/${projectId}/chapters`, () => true);
  const id = String((list.json.items as { id: string }[])[0]!.id);
  await send(place, 'PATCH', `/api/books/chapters/${id}`, { status: 'accepted' });
  const { json } = await untilThere(place, `/api/books/chapters/${id}`, () => true);
  return { id, content: String(json.content) };
}

/** Checks that one run writes the missing chapter and reports it once. @returns the IDs of the runs */
async function checkChildren({ db }: WorkPlace, book: string, findings: Findings): Promise<string[]> {
  const children = await db.run.findMany({ where: { parentRunId: book } });
  const kind = children.length > CHAPTERS - 1 ? 'doubled' : 'lost';
  findings.expect(children.length === CHAPTERS - 1, kind, `asked for ${children.length} runs of chapters`);
  const told = await db.runEvent.count({ where: { runId: book, type: 'chapter_persisted' } });
  findings.expect(told === CHAPTERS - 1, kind, `told ${told} times that a chapter is written`);
  return children.map(({ id }) => id);
}

async function checkBook(
  { db }: WorkPlace,
  projectId: string,
  runs: string[],
  accepted: Accepted,
  findings: Findings,
): Promise<void> {
  for (const run of runs) await checkRunLog(db, run, findings);
  const chapters = await db.bookChapter.findMany({ where: { projectId }, include: { versions: true } });
  findings.expect(chapters.length === CHAPTERS, 'lost', `has ${chapters.length} chapters`);
  for (const { id, number, version, versions, vectorIndexed } of chapters) {
    const kind = versions.length > 1 ? 'doubled' : 'lost';
    findings.expect(
      versions.length === 1 && version === 1,
      kind,
      `has ${versions.length} versions of chapter ${number}`,
    );
    findings.expect(vectorIndexed, 'lost', `has chapter ${number} not indexed`);
    if (id !== accepted.id) continue;
    const { content } = versions[0] ?? { content: '' };
    findings.expect(
      content === accepted.content && content !== '',
      'altered',
      'has an accepted chapter altered',
    );
  }
  const memory = bookCollectionId(projectId, 'memory');
  const indexed = await db.knowledgeSource.findMany({ where: { collectionId: memory } });
  const ready = indexed.filter(({ state }) => state === 'ready').length;
  findings.expect(
    ready === CHAPTERS && indexed.length === CHAPTERS,
    indexed.length > CHAPTERS ? 'doubled' : 'lost',
    `has ${indexed.length} chapters in its memory, ${ready} of them ready`,
  );
  const passages = await db.knowledgeChunk.findMany({ where: { collectionId: memory } });
  const places = new Set(passages.map(({ sourceId, startAt }) => `${sourceId}/${startAt}`));
  findings.expect(
    places.size === passages.length,
    'doubled',
    'has a passage of a chapter twice in its memory',
  );
}
