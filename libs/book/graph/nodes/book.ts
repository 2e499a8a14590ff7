import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { stepKey, withStage } from '#kit/graph/node.js';
import { runRemotely } from '#kit/graph/remote.js';
import { z } from 'zod';
import type { BookPorts, OutlinedChapter } from '../ports.js';
import { freshChapter } from '../initial-state.js';
import { type BookNodeFunction, type BookState, type BookUpdate, failed } from '../state.js';

/** Result of a chapter's run, as its parent receives it; see `BookDefinition.outcome`. */
const writtenSchema = z.object({
  score: z.number(),
  words: z.number(),
  fallback_stages: z.array(z.string()),
});

/** Errors of a chapter's run that do not end the book, because a person changed the chapter first. */
const OVERTAKEN: readonly string[] = ['chapter_accepted', 'chapter_gone', 'chapter_unknown'];

/**
 * Chooses the requested chapter, or in mode `book` the first unwritten one, unless a person has asked the run
 * to stop.
 */
export function nextChapter(ports: BookPorts): BookNodeFunction {
  return async (state) => {
    const { chapters, isStopping } = await ports.book.load();
    if (chapters.length === 0) return failed('no_outline', phrase('run_error.no_outline'));
    if (state.mode === 'chapter') return askedChapter(state, chapters);
    const missing = chapters.filter(({ version, status }) => version === 0 && status !== 'accepted');
    const empty = new Set(state.left_empty ?? []);
    const next = missing.find(({ id }) => !empty.has(id));
    const count = { chapters_done: chapters.length - missing.length, chapters_total: chapters.length };
    if (!next && missing.length > 0) return { ...count, ...leftEmpty(missing) };
    if (!next) return { ...count, status: 'completed' };
    if (isStopping) return { ...count, status: 'completed', stopped: true };
    return { ...count, ...freshChapter(next.id, next.number) };
  };
}

/** Fails the run because chapters are empty: such a book is incomplete, although its other chapters are written. */
function leftEmpty(chapters: OutlinedChapter[]): BookUpdate {
  const titles = chapters.map(({ number, title }) => `${number}. "${title}"`).slice(0, 20);
  return failed('chapters_empty', phrase('run_error.chapters_empty', { titles: titles.join(', ') }));
}

function askedChapter({ inputs }: BookState, chapters: OutlinedChapter[]): BookUpdate {
  const { chapter_id: id, chapter_number: number } = inputs;
  if (id === undefined && number === undefined)
    return failed('chapter_required', phrase('run_error.chapter_required'));
  const found = chapters.find((chapter) =>
    id === undefined ? chapter.number === number : chapter.id === id,
  );
  if (!found)
    return failed('chapter_unknown', phrase('run_error.chapter_unknown', { chapters: chapters.length }));
  if (found.status === 'accepted')
    return failed(
      'chapter_accepted',
      phrase('run_error.chapter_accepted.set_state', { number: found.number }),
    );
  return freshChapter(found.id, found.number);
}

/**
 * Mode `book`: starts a child run that writes the chapter, and reports its result as an event of this step.
 */
export function writeChapter(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const { research_rounds } = state.inputs;
    const inputs = {
      chapter_id: state.chapter_id!,
      ...(research_rounds === undefined ? {} : { research_rounds }),
    };
    const outcome = runRemotely('run', { kind: 'book', mode: 'chapter', inputs });
    if (!outcome.ok) {
      const { code } = outcome.error;
      if (code === 'chapter_empty') return { left_empty: [...(state.left_empty ?? []), state.chapter_id!] };
      if (OVERTAKEN.includes(code)) return {};
      const at = { number: state.chapter_number!, error: detailOf(outcome.error) };
      return failed(code, phrase('run_error.at_chapter', at));
    }
    const { score, words, fallback_stages } = writtenSchema.parse(outcome.output.result);
    const { chapters } = await ports.book.load();
    const chapter = chapters.find(({ id }) => id === state.chapter_id);
    if (!chapter) return {};
    const { id: chapter_id, number, title } = chapter;
    const data = { chapter_id, number, title, score, words, fallback_stages };
    ports.emit({ type: 'chapter_persisted', data, effectKey: `${stepKey(config)}/chapter_persisted` });
    return { fallback_stages: fallback_stages.reduce(withStage, state.fallback_stages) };
  };
}

/**
 * B12: exports one format per step. A worker creates the file. The run ends when all formats are exported.
 */
export function exportNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const formats = state.inputs.formats ?? ['docx', 'pdf'];
    const format = formats.find((wanted) => !state.exports.some((made) => made.format === wanted));
    if (!format) return { status: 'completed' };
    const { citation_style, trim_size, pdf_standard, index, list_of_figures, proposals } = state.inputs;
    const input = {
      session_id: state.session_id,
      project_id: state.project_id,
      format,
      ...(citation_style && { citation_style }),
      ...(trim_size && { trim_size }),
      ...(pdf_standard && { pdf_standard }),
      ...(index && { index }),
      ...(list_of_figures !== undefined && { list_of_figures }),
      ...(proposals && { proposals }),
    };
    const outcome = runRemotely('book_export', input);
    if (!outcome.ok) return failed(outcome.error.code, detailOf(outcome.error));
    const { export_id: id, name } = outcome.output;
    const exports = [...state.exports, { id, format, name }];
    const isLast = formats.every((wanted) => exports.some((made) => made.format === wanted));
    if (!isLast) return { exports };
    await ports.book.note({}, 'exported', `${stepKey(config)}/note`);
    return { exports, status: 'completed' };
  };
}
