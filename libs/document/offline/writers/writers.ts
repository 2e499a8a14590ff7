import { sourceKind, type SourceKind } from '../sources/kind.js';
import { baseName } from '#contracts/source-name.js';
import type { Place } from '../sources/folders.js';
import { titleFor } from '../sources/titles.js';
import { writeCode, type CodeState } from './code.js';
import { writeMarkdown, type MarkdownState } from './markdown.js';
import { writeNotes, type NotesState } from './notes.js';
import { writeTable, type TableState } from './table.js';
import type { Written } from './writer.js';

export type WriterState = CodeState | MarkdownState | NotesState | TableState;

/**
 * Returns the writer for a file, by its name and first page.
 *
 * @param options `asWritten` carries the file in one code fence; for `place` see `Folders`
 */
export function beginWriter(
  file: string,
  text: string,
  { asWritten = false, place = { title: null, shown: baseName(file), level: 1 } as Place } = {},
): WriterState {
  const read = sourceKind(file, text);
  const kind = asWritten ? inOneFence(read) : read;
  const title = place.title ?? titleFor(place.shown, kind);
  const { level } = place;
  if (kind.kind === 'table') return { kind: 'table', language: kind.language, title, level, file };
  if (kind.kind === 'code') return { kind: 'code', language: kind.language, title, level, fence: null };
  if (kind.kind === 'notes') return { kind: 'notes', title, begun: false, open: null, chapter: level, level };
  return { kind: 'markdown', title, level, begun: false, path: [[0, level]], open: null, unread: false };
}

function inOneFence(kind: SourceKind): SourceKind {
  if (kind.kind === 'markdown') return { kind: 'code', language: 'markdown' };
  return { kind: 'code', language: kind.kind === 'notes' ? 'text' : kind.language };
}

/**
 * Writes the next stretch of a source.
 *
 * @param text the next part of the file
 * @param last whether the file ends with it
 * @param isTooHard whether to fence it without parsing
 */
export function write(
  state: WriterState,
  text: string,
  last: boolean,
  isTooHard = false,
): Written<WriterState> {
  if (state.kind === 'code') return writeCode(state, text, last);
  if (state.kind === 'table') return writeTable(state, text, last);
  return state.kind === 'notes'
    ? writeNotes(state, text, last, isTooHard)
    : writeMarkdown(state, text, last, isTooHard);
}
