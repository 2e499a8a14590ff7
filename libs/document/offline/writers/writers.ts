import { sourceKind, type SourceKind } from '../sources/kind.js';
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
 * @param options `asWritten` carries the file in one code fence; for `isShared` see `titleFor`
 */
export function beginWriter(
  file: string,
  text: string,
  { asWritten = false, isShared = false } = {},
): WriterState {
  const read = sourceKind(file, text);
  const kind = asWritten ? inOneFence(read) : read;
  const title = titleFor(file, kind, isShared);
  if (kind.kind === 'table') return { kind: 'table', language: kind.language, title, file };
  if (kind.kind === 'code') return { kind: 'code', language: kind.language, title, fence: null };
  if (kind.kind === 'notes') return { kind: 'notes', title, begun: false, open: null, level: 1 };
  return { kind: 'markdown', title, begun: false, path: [], open: null, unread: false };
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
