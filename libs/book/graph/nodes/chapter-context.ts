import { phrase } from '#contracts/phrases/phrase.js';
import type { ChapterContext } from '../../prompts/context.js';
import { passagesWith } from '#kit/graph/passages.js';
import { minimumOf } from '../checks.js';
import type { BookPorts, BookSnapshot, OutlinedChapter } from '../ports.js';
import { failed, type BookNodeFunction, type BookState, type LabelledPassage } from '../state.js';
import { labelled, steeringOf } from '../steering.js';
import type { Passage } from '../texts.js';

const CONTEXT_PASSAGES = 10;
/** Passages of the sources that the author names; more, if that many sources are named. */
const NAMED_PASSAGES = 8;
/** Maximum number of passages for a compiled chapter if the outline names none. */
const COMPILED_PASSAGES = 16;
const MEMORY = 6;
const TONE_SAMPLES = 3;
const MAX_PASSAGES = 5_000;

/** B8, B12: retrieves the continuity memory and the source passages, labelled for citation. */
export function retrieveContext(ports: BookPorts): BookNodeFunction {
  return async (state) => {
    const book = await ports.book.load();
    const chapter = chapterOf(book, state);
    if (!chapter) return failed('chapter_gone', phrase('run_error.chapter_gone'));
    const { title, outline } = chapter;
    const query = [
      title,
      outline.summary,
      ...outline.sections.map((section) => section.title),
      ...outline.terms,
    ]
      .join(' ')
      .slice(0, 4_000);
    const named = await namedPassages(ports, state, query);
    const found = ports.offline
      ? await compiledPassages(ports, book, chapter, query)
      : await ports.knowledge.search(query, CONTEXT_PASSAGES);
    const ids = new Set(named.map(({ id }) => id));
    const passages = [...named, ...found.filter(({ id }) => !ids.has(id))];
    // A reader of this chapter knows only what earlier ones have told.
    const earlier = book.chapters.filter(({ number }) => number < chapter.number).map(({ id }) => id);
    const memory_context = await ports.knowledge.recall(query, MEMORY, earlier);
    const present = state.mode === 'chapter' ? await ports.book.present(chapter.id) : null;
    const steering = steeringOf(present, state.inputs.feedback);
    return {
      steering,
      knowledge_context: labelled(steering && present, passages),
      memory_context,
    };
  };
}

/** Returns passages of the sources that the author names for the chapter. */
function namedPassages(ports: BookPorts, { mode, inputs }: BookState, query: string): Promise<Passage[]> {
  const sources = mode === 'chapter' ? (inputs.sources ?? []) : [];
  return sources.length === 0
    ? Promise.resolve([])
    : ports.knowledge.named(sources, query, Math.max(NAMED_PASSAGES, sources.length));
}

/**
 * Returns the passages that the outline assigns to the chapter, else those found that no other chapter has
 * used.
 */
async function compiledPassages(
  ports: BookPorts,
  book: BookSnapshot,
  chapter: OutlinedChapter,
  query: string,
): Promise<Passage[]> {
  const named = new Set(chapter.outline.passages ?? []);
  if (named.size > 0) {
    const all = await ports.knowledge.all(MAX_PASSAGES);
    const found = all.filter(({ id }) => named.has(id));
    if (found.length > 0) return found;
  }
  const elsewhere = new Set(
    book.chapters.filter(({ id }) => id !== chapter.id).flatMap(({ outline }) => outline.passages ?? []),
  );
  const texts = await ports.book.texts();
  const used = new Set(
    texts
      .filter(({ chapter_id: id }) => id !== chapter.id)
      .flatMap(({ citations }) => citations.map(({ source_id, span }) => `${source_id}/${span.start}`)),
  );
  const hits = await ports.knowledge.search(query, 2 * COMPILED_PASSAGES);
  const free = hits.filter(
    ({ id, source_id, span }) => !elsewhere.has(id) && !used.has(`${source_id}/${span.start}`),
  );
  return free
    .slice(0, COMPILED_PASSAGES)
    .sort((a, b) =>
      a.source_id === b.source_id ? a.span.start - b.span.start : a.source_id < b.source_id ? -1 : 1,
    );
}

/** Returns the data for the operations on the run's chapter: of the passages those that the plan names, once there is one. */
export async function contextOf(ports: BookPorts, state: BookState): Promise<ChapterContext> {
  const book = await ports.book.load();
  const chapter = chapterOf(book, state);
  return {
    book,
    chapter: chapter ?? {
      id: state.chapter_id!,
      number: state.chapter_number ?? 0,
      title: '',
      status: 'planned',
      version: 0,
      summary: '',
      outline: { summary: '', sections: [], terms: [] },
    },
    passages: passagesWith<LabelledPassage>(
      state.knowledge_context,
      state.plan?.sections.flatMap(({ passages = [] }) => passages) ?? [],
    ),
    memory: state.memory_context,
    research: state.research ?? null,
    plan: state.plan,
    minimum: minimumOf(book.profile),
    tone: ports.offline ? [] : await ports.knowledge.toneSamples(TONE_SAMPLES),
  };
}

const chapterOf = (book: BookSnapshot, { chapter_id: id }: BookState): OutlinedChapter | undefined =>
  book.chapters.find((chapter) => chapter.id === id);
