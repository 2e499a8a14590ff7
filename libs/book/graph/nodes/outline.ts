import type { Detail } from '#contracts/phrases/detail.js';
import { joinDetails, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { askModel, withStage, stepKey } from '#kit/graph/node.js';
import type { BookOutline, OutlineChapter } from '../../contract/outline.js';
import { sectionTitle } from '#writing/compile-passages.js';
import type { OutlineOperation } from '../../contract/operations.js';
import { needsModel } from '../../needs-model.js';
import { changeOutline, distinctTitles } from '../../outline/operations.js';
import { generateOutline, refineOutline } from '../../prompts/outline.js';
import type { BookPorts, BookSnapshot } from '../ports.js';
import { failed, type BookState, type BookUpdate, type BookNodeFunction } from '../state.js';

/** Chapters per model answer; several small answers are less likely to be truncated. */
const PART = 20;
const DEFAULT_CHAPTERS = 8;
const MAX_PASSAGES = 5_000;

/**
 * B12: makes the outline, one part per step. The state has the finished parts, so that a crash loses at most
 * one.
 */
export function runToc(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const book = await ports.book.load();
    if (ports.offline) {
      const outline = await ports.rules.call(
        'outline',
        await ports.knowledge.all(MAX_PASSAGES),
        book.profile,
      );
      const saved = await save(ports, state, outline, 'generate_outline', stepKey(config));
      return { ...saved, outline_changes: fewerChapters(outline, book.profile.chapter_count) };
    }
    const total = book.profile.chapter_count ?? DEFAULT_CHAPTERS;
    const from = state.outline.length + 1;
    const part = { from, to: Math.min(total, from + PART - 1), total };
    const passages = await ports.knowledge.all(MAX_PASSAGES);
    const answer = await askModel(ports, generateOutline(book, passages, state.outline, part), config);
    const chapters = answer?.chapters ?? (await fallbackPart(ports, book, part));
    const outline = distinctTitles([...state.outline, ...chapters]);
    const synopsis = state.synopsis || (answer?.synopsis ?? '');
    const stage = answer ? null : 'generate_outline';
    const enough = answer?.enough ?? '';
    if (outline.length >= total || enough !== '') {
      const saved = await save(ports, state, { synopsis, chapters: outline }, stage, stepKey(config));
      return { ...saved, outline_changes: enoughChapters(outline, book.profile.chapter_count, enough) };
    }
    return { outline, synopsis, fallback_stages: withStage(state.fallback_stages, stage) };
  };
}

/** Says that the sources have too few sections for the chapters that the author wants; null if they have enough. */
function fewerChapters({ chapters }: BookOutline, wanted = 0): BookState['outline_changes'] {
  const count = chapters.length;
  if (count >= wanted) return null;
  return { changes: [], unclear: [phrase('outline.fewer_chapters', { wanted, count })] };
}

/** Says why the model makes fewer chapters than the author wants; null if it makes them all. */
function enoughChapters(
  { length: count }: OutlineChapter[],
  wanted: number | undefined,
  reason: string,
): BookState['outline_changes'] {
  if (reason === '' || wanted === undefined) return null;
  return { changes: [], unclear: [phrase('outline.enough_chapters', { wanted, count, reason })] };
}

/**
 * B12: changes the outline by the author's operations, or by those that the model makes of the author's feedback; or
 * proposes the change. Remaining chapters keep their IDs.
 */
export function runRefineToc(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const { feedback, operations: given, propose } = state.inputs;
    if ((feedback === undefined) === (given === undefined))
      return failed('feedback_required', phrase('run_error.feedback_required'));
    const book = await ports.book.load();
    if (book.chapters.length === 0) return failed('no_outline', phrase('run_error.no_outline'));
    const listed = given ? [] : await ports.knowledge.all(MAX_PASSAGES);
    const asked = given ? null : await askModel(ports, refineOutline(book, listed, feedback!), config);
    const wanted: Refinement | null = given ? { operations: given, cannot: [] } : asked;
    if (!wanted) return failed('needs_model', needsModel(state.mode, state.inputs)!.detail);
    // Only a chapter that is split needs the sections of its passages.
    const isSplit = wanted.operations.some(({ op }) => op === 'split');
    const passages = isSplit && given ? await ports.knowledge.all(MAX_PASSAGES) : listed;
    const { chapters, changes, refused } = changeOutline(book.chapters, wanted.operations, {
      language: book.profile.language,
      sectionOf: new Map(passages.map((passage) => [passage.id, sectionTitle(passage)])),
    });
    const unclear = [...wanted.cannot, ...refused];
    if (changes.length === 0) return failed('feedback_unclear', unclearWords(unclear));
    const outline = { synopsis: book.synopsis, chapters };
    const outline_changes = { changes, unclear };
    if (propose === true)
      return {
        outline: outline.chapters,
        synopsis: outline.synopsis,
        outline_changes,
        status: 'completed',
      };
    return { ...(await save(ports, state, outline, null, stepKey(config))), outline_changes };
  };
}

interface Refinement {
  operations: OutlineOperation[];
  cannot: string[];
}

/** Requests that the reason of a failure names. */
const MAX_NAMED = 5;

function unclearWords(unclear: Detail[]): Phrase {
  const why =
    unclear.length > 0
      ? joinDetails('sentences', unclear.slice(0, MAX_NAMED))
      : phrase('run_error.feedback_unclear.no_change');
  return phrase('run_error.feedback_unclear', { why });
}

async function fallbackPart(
  ports: BookPorts,
  book: BookSnapshot,
  { from, to, total }: { from: number; to: number; total: number },
): Promise<OutlineChapter[]> {
  const { chapters } = await ports.rules.call('outline', await ports.knowledge.all(MAX_PASSAGES), {
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
