import { askModel, withStage } from '#kit/graph/node.js';
import { stepKey } from '#kit/graph/step.js';
import type { BookOutline, OutlineChapter } from '../../contract/outline.js';
import { generateOutline, refineOutline, type RefinedOutline } from '../../prompts/operations.js';
import type { BookPorts, BookSnapshot, OutlinedChapter } from '../ports.js';
import { failed, type BookState, type BookUpdate } from '../state.js';
import type { BookNodeFunction } from '../state.js';

/** Chapters per model answer; several small answers are less likely to be truncated. */
const PART = 20;
const DEFAULT_CHAPTERS = 8;
const MAX_PASSAGES = 5_000;
const CONTEXT_PASSAGES = 12;

/**
 * B12: makes the outline, one part per step. The state has the finished parts, so that a crash loses at most
 * one.
 */
export function runToc(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const book = await ports.book.load();
    if (ports.offline) {
      const outline = await ports.rules.outline(await ports.knowledge.all(MAX_PASSAGES), book.profile);
      return save(ports, state, outline, 'generate_outline', stepKey(config));
    }
    const total = book.profile.chapter_count ?? DEFAULT_CHAPTERS;
    const from = state.outline.length + 1;
    const part = { from, to: Math.min(total, from + PART - 1), total };
    const passages = await ports.knowledge.search(topicOf(book), CONTEXT_PASSAGES);
    const answer = await askModel(ports, generateOutline(book, passages, state.outline, part), config);
    const chapters = answer?.chapters ?? (await fallbackPart(ports, book, part));
    const outline = distinct([...state.outline, ...chapters]);
    const synopsis = state.synopsis || (answer?.synopsis ?? '');
    const stage = answer ? null : 'generate_outline';
    if (outline.length >= total)
      return save(ports, state, { synopsis, chapters: outline }, stage, stepKey(config));
    return { outline, synopsis, fallback_stages: withStage(state.fallback_stages, stage) };
  };
}

/**
 * B12: changes the outline by the author's feedback, or proposes the change; chapters that remain keep their
 * ids.
 */
export function runRefineToc(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const { feedback, propose } = state.inputs;
    if (feedback === undefined)
      return failed('feedback_required', 'Set inputs.feedback to the changes that the outline needs.');
    const book = await ports.book.load();
    if (book.chapters.length === 0)
      return failed('no_outline', 'The book has no outline yet. Create one with a run of mode toc.');
    const passages = await ports.knowledge.search(
      `${topicOf(book)} ${feedback}`.slice(0, 2_000),
      CONTEXT_PASSAGES,
    );
    const answer = await askModel(ports, refineOutline(book, passages, feedback), config);
    const chapters = answer ? refinedChapters(book, answer) : refinedByRules(book, feedback);
    const outline = { synopsis: answer?.synopsis ?? book.synopsis, chapters };
    const stage = answer ? null : 'refine_outline';
    if (propose === true)
      return {
        outline: outline.chapters,
        synopsis: outline.synopsis,
        fallback_stages: withStage(state.fallback_stages, stage),
        status: 'completed',
      };
    return save(ports, state, outline, stage, stepKey(config));
  };
}

const topicOf = ({ title, profile }: BookSnapshot): string =>
  [title, profile.subtitle, profile.genre, profile.instruction_brief?.slice(0, 1_000)]
    .filter(Boolean)
    .join(' ');

async function fallbackPart(
  ports: BookPorts,
  book: BookSnapshot,
  { from, to, total }: { from: number; to: number; total: number },
): Promise<OutlineChapter[]> {
  const { chapters } = await ports.rules.outline(await ports.knowledge.all(MAX_PASSAGES), {
    ...book.profile,
    chapter_count: total,
  });
  const part = chapters.slice(from - 1, to);
  const missing = to - from + 1 - part.length;
  const rest = Array.from({ length: missing }, (_, i) => ({
    title: `Part ${from + part.length + i}`,
    summary: '',
    sections: [],
    terms: [],
  }));
  return [...part, ...rest];
}

/** Makes titles unique, because equal titles would merge two chapters. */
function distinct(chapters: OutlineChapter[]): OutlineChapter[] {
  const seen = new Set<string>();
  return chapters.map((chapter) => {
    let { title } = chapter;
    for (let n = 2; seen.has(title.toLowerCase()); n++) title = `${chapter.title.slice(0, 290)} (${n})`;
    seen.add(title.toLowerCase());
    return { ...chapter, title };
  });
}

function refinedChapters(book: BookSnapshot, { chapters }: RefinedOutline): OutlineChapter[] {
  const existing = matchExisting(book, chapters);
  const refined = chapters.map(({ title, summary, sections, terms }, index) => {
    const kept = existing[index];
    const { outline } = kept ?? { outline: { summary: '', sections: [], terms: [] } };
    return {
      ...outline,
      ...(kept ? { id: kept.id } : {}),
      title,
      summary: summary ?? outline.summary,
      sections: sections ?? outline.sections,
      terms: terms ?? outline.terms,
    };
  });
  return distinct(refined);
}

/**
 * Finds the existing chapter of each refined one, by title (models renumber moved chapters), else by number.
 * Each is used once.
 */
function matchExisting(book: BookSnapshot, chapters: RefinedOutline['chapters']) {
  const left = new Map(book.chapters.map((chapter) => [chapter.number, chapter]));
  const take = (chapter: OutlinedChapter | undefined) => {
    if (chapter) left.delete(chapter.number);
    return chapter;
  };
  const byTitle = chapters.map(({ title }) => take([...left.values()].find((each) => each.title === title)));
  return chapters.map(({ number }, index) => byTitle[index] ?? take(left.get(number ?? 0)));
}

/** Characters of a line of feedback that the rules read. */
const LONGEST_LINE = 500;

/**
 * Applies feedback without a model: "remove", "add" and "rename … to …" of a chapter; leaves the rest
 * unchanged.
 */
function refinedByRules(book: BookSnapshot, feedback: string): OutlineChapter[] {
  let chapters: OutlineChapter[] = book.chapters.map(({ id, title, outline }) => ({ id, title, ...outline }));
  for (const line of feedback.split(/\n|(?<=[.;])\s+/)) {
    const [, verb = '', what = '', name] =
      /^\s*(remove|delete|drop|add|rename)\s+(?:(?:the |a )?chapter\s+)?(.+?)(?:\s+to\s+(.+?))?[.;]?\s*$/iu.exec(
        line.slice(0, LONGEST_LINE),
      ) ?? [];
    const bare = what.replace(/^["“„]|["”“]$/gu, '');
    const index = chapters.findIndex(
      ({ title }, i) => String(i + 1) === bare || title.toLowerCase() === bare.toLowerCase(),
    );
    if (/^(?:remove|delete|drop)$/i.test(verb) && index >= 0)
      chapters = chapters.filter((_, i) => i !== index);
    if (/^add$/i.test(verb))
      chapters = [...chapters, { title: bare.slice(0, 300), summary: '', sections: [], terms: [] }];
    if (/^rename$/i.test(verb) && index >= 0 && name)
      chapters = chapters.map((chapter, i) =>
        i === index ? { ...chapter, title: name.replace(/^["“„]|["”“]$/gu, '').slice(0, 300) } : chapter,
      );
  }
  return distinct(
    chapters.length > 0
      ? chapters
      : book.chapters.map(({ id, title, outline }) => ({ id, title, ...outline })),
  );
}

async function save(
  ports: BookPorts,
  state: BookState,
  outline: BookOutline,
  stage: string | null,
  key: string,
): Promise<BookUpdate> {
  const fallback_stages = withStage(state.fallback_stages, stage);
  const runtime = { writer: ports.model.label, used_fallback: fallback_stages.length > 0, fallback_stages };
  await ports.book.saveOutline(outline, runtime, key);
  const data = { chapters: outline.chapters.length };
  ports.emit({ type: 'outline_saved', data, effectKey: `${key}/outline_saved` });
  return {
    outline: [],
    synopsis: '',
    fallback_stages,
    chapters_total: outline.chapters.length,
    status: 'completed',
  };
}
