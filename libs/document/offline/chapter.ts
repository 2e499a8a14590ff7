import { baseName } from '#contracts/source-name.js';
import type { WorkOrder } from '../contract/work-order.js';
import { imageLine, startAttachments } from './attachments.js';
import type { Conversation, ToolCall } from './conversation.js';
import type { Note } from './note.js';
import { cursorAfter, joinPages, readCall, readFurther, readNextPage, type Stretch } from './pages.js';
import { appendCall, completeChapter, finishAll, joinAppends, type WriterStep } from './writer-step.js';
import { inputNames, namesImages, placedImages, unansweredReferences } from './references.js';
import { canPlaceImages, isImage } from './sources/kind.js';
import { beginWriter, readWriterState, write } from './writers/writers.js';

/**
 * Runs with at least `files` files write up to `together` of them per validation, if these are carried verbatim
 * and so raise no questions.
 */
const MANY = { files: 24, together: 8 };

/**
 * Begins the chapter of the next open file. If all files are written the work is done; if the rest is
 * unreadable, only images remain.
 */
export function nextChapter(conversation: Conversation, unreadable: string[] = []): WriterStep {
  const { order } = conversation;
  const file = order.files.find(({ name, written }) => !written && !unreadable.includes(name))?.name;
  if (file === undefined) {
    const isDone = order.file_count > 0 && unreadable.length === 0;
    return isDone ? finishAll(order.file_count) : startAttachments(conversation);
  }
  const ahead = readTogether(order, file, unreadable);
  return {
    sentence: `Chapter ${order.chapter}: reading ${file}${ahead.length > 0 ? ` and ${ahead.length} more` : ''}.`,
    calls: readFirstPages([file, ...ahead]),
    note: {
      phase: 'write',
      file,
      cursor: 0,
      ...(unreadable.length > 0 ? { unreadable } : {}),
      ...(ahead.length > 0 ? { batch: { done: [], ahead } } : {}),
    },
  };
}

/** Returns the following files that are written together with this one. */
function readTogether(order: WorkOrder, file: string, unreadable: string[]): string[] {
  if (order.file_count < MANY.files) return [];
  const open = order.files.filter(({ name, written }) => !written && !unreadable.includes(name));
  const run = open.slice(
    open.findIndex(({ name }) => name === file),
    MANY.together,
  );
  const end = run.findIndex(({ name }) => canPlaceImages(name));
  return (end < 0 ? run : run.slice(0, end)).slice(1).map(({ name }) => name);
}

/**
 * Continues with the next file of the batch, because this one is written or unreadable; null at the end of
 * the batch.
 */
function nextOfBatch(conversation: Conversation, note: Note): WriterStep | null {
  const [file, ...ahead] = note.batch?.ahead ?? [];
  if (file === undefined) return null;
  const done = [...(note.batch?.done ?? []), note.file ?? ''];
  const next: Note = {
    ...note,
    file,
    cursor: 0,
    writer: undefined,
    images: undefined,
    retries: undefined,
    batch: { done, ahead },
  };
  if (conversation.answered.some(({ args }) => args.filename === file))
    return writeChapter(conversation, next);
  return {
    sentence: `Chapter ${conversation.order.chapter}: reading ${file}.`,
    calls: readFirstPages([file, ...ahead]),
    note: next,
  };
}

/** Reads the first pages of the next files. */
function readFirstPages(files: string[]): ToolCall[] {
  return files.slice(0, MANY.together).map((name) => readCall(name, 0));
}

/**
 * Plans the last resort, which passes validation with any content: rolls the manuscript back to a checkpoint
 * without these files, and carries each verbatim in one code fence.
 *
 * @param files one or more, in order
 * @param checkpoint the last one without them
 */
export function rewriteAsWritten({ order }: Conversation, files: string[], checkpoint: string): WriterStep {
  const [file, ...ahead] = files;
  const what = ahead.length === 0 ? file : `${files.length} files`;
  return {
    sentence: `Chapter ${order.chapter}: did not pass; ${what} will be carried verbatim, in code blocks.`,
    calls: [
      { name: 'rollback_to_checkpoint', args: { checkpoint_id: checkpoint } },
      ...readFirstPages(files),
    ],
    note: { phase: 'write', file, cursor: 0, batch: { done: [], ahead }, asWritten: files },
  };
}

/** Continues to read an interrupted chapter at its cursor, after a person has answered. */
export function resumeChapter({ order }: Conversation, note: Note): WriterStep {
  const file = note.file ?? '';
  return {
    sentence: `Chapter ${order.chapter}: going on with ${file}.`,
    calls: [readCall(file, note.cursor ?? 0)],
    note: { ...note, phase: 'write' },
  };
}

/** Note about Markdown that takes too long to parse. */
const TOO_HARD =
  ' It nests or repeats marks too often to be read as Markdown, so it is in a code fence, as written.';

/**
 * Writes the pages of the last message and requests the next ones; at the end of the file the chapter can be
 * closed.
 */
export function writeChapter(conversation: Conversation, note: Note): WriterStep {
  const { order, answered } = conversation;
  const file = note.file ?? '';
  const stretch = joinPages(answered, file, note.cursor ?? 0);
  if (stretch === null) {
    const unreadable = [...(note.unreadable ?? []), file];
    if (note.batch === undefined) return nextChapter(conversation, unreadable);
    const rest = { ...note, unreadable };
    return nextOfBatch(conversation, rest) ?? closeChapter(conversation, rest);
  }
  const text = stretch.start === 0 ? stretch.text.replace(/^\uFEFF/, '') : stretch.text;
  const asWritten = note.asWritten?.includes(file) ?? false;
  const state =
    note.writer === undefined
      ? beginWriter(file, text, { asWritten, isShared: sharesBaseName(order, file) })
      : readWriterState(note.writer);
  const written = write(state, text, stretch.last, conversation.isTooHard);
  const isEnd = stretch.last && written.consumed === text.length;
  const used = written.consumed === 0 ? text : text.slice(0, written.consumed);
  const question = conversation.isTooHard || asWritten ? null : askFirst(conversation, note, file, used);
  if (question !== null) return question;
  if (written.consumed === 0 && !isEnd) {
    return {
      sentence: `${position(order, file, stretch)}: reading further.`,
      calls: readFurther(file, stretch),
      note,
    };
  }
  const images = asWritten ? [...(note.images ?? []), ...imagesNamed(order, file, used)] : [];
  const markdown = written.markdown + (isEnd ? images.map((name) => `\n${imageLine(name)}\n`).join('') : '');
  const next = isEnd ? nextOfBatch(conversation, note) : null;
  if (next !== null) return { ...next, calls: joinAppends([...appendCall(markdown), ...next.calls]) };
  if (isEnd && markdown === '') return closeChapter(conversation, note);
  const cursor = cursorAfter(stretch, written.consumed + stretch.text.length - text.length);
  return {
    sentence: `${position(order, file, stretch)}.${written.isTooHard ? TOO_HARD : ''}`,
    calls: [...appendCall(markdown), ...(isEnd ? [] : readNextPage(file, cursor, stretch))],
    note: {
      ...note,
      cursor,
      writer: written.state,
      retries: undefined,
      ...(images.length > 0 ? { images } : {}),
      ...(isEnd ? { phase: 'written' } : {}),
    },
  };
}

/**
 * Closes the chapter of a completely written file, in its own message, so that a failed append is retried
 * first.
 */
export function closeChapter(conversation: Conversation, note: Note): WriterStep {
  const { order } = conversation;
  const file = note.file ?? '';
  const done = [file, ...(note.batch?.done ?? []), ...(note.unreadable ?? [])];
  const isDone = (name: string) => done.includes(name);
  const isLast = order.files.every(({ name, written }) => written || isDone(name));
  const carried = { chapter: done, asWritten: note.asWritten };
  return isLast
    ? startAttachments(conversation, file, carried)
    : completeChapter(order.chapter, file, carried);
}

/** Returns the images that the text would place if it were not fenced. */
function imagesNamed({ assets }: WorkOrder, file: string, text: string): string[] {
  const images = assets.filter(isImage);
  if (!canPlaceImages(file)) return [];
  return placedImages(text, file, images).map((index) => images[index] as string);
}

/**
 * Returns whether another source has the same base name. An incomplete file list cannot tell, so a file in a
 * folder counts as sharing its name.
 */
function sharesBaseName({ files, files_complete }: WorkOrder, file: string): boolean {
  if (!files_complete) return file.includes('/');
  return files.some(({ name }) => name !== file && baseName(name) === baseName(file));
}

function position(order: WorkOrder, file: string, stretch: Stretch): string {
  const share = stretch.total === 0 ? 100 : Math.floor((100 * stretch.end) / stretch.total);
  return `Chapter ${order.chapter}: ${file}, ${share} %`;
}

/** Asks a person about references to missing files before the chapter is written, or returns null. */
function askFirst(conversation: Conversation, note: Note, file: string, text: string): WriterStep | null {
  const { order, answered } = conversation;
  const names = inputNames(order, answered);
  if (names === null && namesImages(text, file)) {
    return {
      sentence: `Chapter ${order.chapter}: looking up the images that ${file} names.`,
      calls: [
        { name: 'list_files', args: {} },
        ...answered.filter((call) => call.name === 'read_file' && !call.failed),
      ].map(({ name, args }) => ({ name, args })),
      note,
    };
  }
  const refs = unansweredReferences(text, file, order, names, note.asked ?? []);
  if (refs.length === 0) return null;
  const question = `${file} names ${refs.length === 1 ? 'a file that is' : 'files that are'} not among the inputs: ${refs.join(', ')}. Upload file or Skip?`;
  return {
    sentence: question,
    calls: [{ name: 'request_human_input', args: { question, refs } }],
    note: { ...note, phase: 'ask', asked: [...(note.asked ?? []), ...refs] },
  };
}
