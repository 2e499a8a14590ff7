import type { WorkOrder } from '../contract/work-order.js';
import type { Conversation } from './conversation.js';
import type { Note } from './note.js';
import { joinPages, readCall } from './pages.js';
import {
  appendCall,
  checkpointCall,
  completeChapter,
  finishAll,
  labelFor,
  type WriterStep,
} from './writer-step.js';
import { inputNames, placedImages } from './references.js';
import { canPlaceImages, isImage } from './sources/kind.js';

/** Files of a written chapter; `asWritten` are those carried verbatim in a code fence. */
type Carried = Pick<Note, 'chapter' | 'asWritten'>;

const TITLE = 'Attachments';
/** Text sources read per message. */
const FILES_AT_ONCE = 8;

/**
 * Starts the attachments after the last file: images that no text places get their own heading. They belong
 * to that file's chapter, because the next tool call exports a manuscript that was validated with every
 * source (D21).
 *
 * @param file the last file, which belongs to the open chapter; undefined if there are only images
 * @param carried the files of that chapter
 */
export function startAttachments(
  conversation: Conversation,
  file?: string,
  carried: Carried = {},
): WriterStep {
  const { order } = conversation;
  const images = order.asset_count === 0 ? [] : order.assets.filter(isImage);
  const isMore = order.assets.length < order.asset_count;
  // During a rewrite of the chapter, the outline in the work order still describes the old one.
  const isDone = carried.asWritten === undefined && isWritten(order);
  const note: Note = { phase: 'attach', file, source: 0, cursor: 0, placed: [], ...carried };
  return (images.length === 0 && !isMore) || isDone
    ? end(conversation, note)
    : lookThrough(conversation, note);
}

function end({ order }: Conversation, note: Note): WriterStep {
  return note.file === undefined
    ? finishAll(order.file_count)
    : completeChapter(order.chapter, note.file, note);
}

function isWritten({ outline, tail }: WorkOrder): boolean {
  const lastChapter = outline.findLast(({ level }) => level === 1)?.title;
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return lastChapter === TITLE && /^!\[.*\]\(/.test(last) && last.endsWith(')');
}

/** Reads the pages of the last message and continues the search, or writes the chapter. */
export function continueAttachments(conversation: Conversation, note: Note): WriterStep {
  const names = inputNames(conversation.order, conversation.answered) ?? [];
  const images = names.filter(isImage);
  const sources = names.filter(canPlaceImages);
  const placed = new Set(note.placed ?? []);
  let { source = 0, cursor = 0 } = note;
  for (let seen = 0; seen < FILES_AT_ONCE && source < sources.length; seen++) {
    const file = sources[source] ?? '';
    const isAsked = conversation.answered.some(
      (call) => call.name === 'read_file' && call.args.filename === file && call.args.cursor === cursor,
    );
    if (!isAsked) break;
    const page = joinPages(conversation.answered, file, cursor);
    for (const index of page === null ? [] : placedImages(page.text, file, images)) placed.add(index);
    cursor = page === null || page.last ? 0 : page.end;
    if (cursor > 0) break;
    source += 1;
  }
  if (source < sources.length && placed.size < images.length) {
    return lookThrough(conversation, { ...note, source, cursor, placed: [...placed] });
  }
  return writeAttachments(
    conversation,
    images.filter((_, index) => !placed.has(index)),
    note,
  );
}

function lookThrough(conversation: Conversation, note: Note): WriterStep {
  const { order, answered } = conversation;
  const listing = { name: 'list_files', args: {} };
  const isListed = order.files_complete && order.assets.length === order.asset_count;
  const names = inputNames(order, answered);
  const sources = (names ?? []).filter(canPlaceImages);
  const from = note.source ?? 0;
  const ahead = note.cursor === 0 ? FILES_AT_ONCE : 1;
  const reads = sources
    .slice(from, from + ahead)
    .map((file, index) => readCall(file, index === 0 ? (note.cursor ?? 0) : 0));
  const calls = [...(isListed ? [] : [listing]), ...reads];
  if (calls.length === 0) return writeAttachments(conversation, (names ?? []).filter(isImage), note);
  return { sentence: 'Looking for images that no text places.', calls, note };
}

function writeAttachments(conversation: Conversation, images: string[], note: Note): WriterStep {
  if (images.length === 0) return end(conversation, note);
  const { file, chapter, asWritten } = note;
  const content = `# ${TITLE}\n\n${images.map(imageLine).join('\n\n')}\n`;
  return {
    sentence: `Chapter ${conversation.order.chapter}: ${images.length} images that no text places.`,
    calls: [...appendCall(content), checkpointCall(file === undefined ? TITLE : labelFor(file))],
    note: { phase: 'closed', chapter, asWritten },
  };
}

/**
 * Returns Markdown that shows an image of the session. Encodes special characters of its name, because an
 * escape, entity or anchor would point to another file.
 */
export function imageLine(name: string): string {
  const text = name.replace(/[\\[\]*_`<>&$~]/g, '\\$&');
  const path = name.replace(/[^\p{L}\p{M}\p{N} ./_()-]/gu, (mark) => encodeURIComponent(mark));
  return `![${text}](${/^[\w./-]+$/.test(name) ? name : `<${path}>`})`;
}
