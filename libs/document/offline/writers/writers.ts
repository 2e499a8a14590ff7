import { z } from 'zod';
import { sourceKind, type SourceKind } from '../sources/kind.js';
import { titleFor } from '../sources/titles.js';
import { codeStateSchema, writeCode } from './code.js';
import { markdownStateSchema, writeMarkdown } from './markdown.js';
import { notesStateSchema, writeNotes } from './notes.js';
import { tableStateSchema, writeTable } from './table.js';
import type { Written } from './writer.js';

const writerStateSchema = z.discriminatedUnion('kind', [
  codeStateSchema,
  markdownStateSchema,
  notesStateSchema,
  tableStateSchema,
]);
type WriterState = z.infer<typeof writerStateSchema>;

/** @throws ZodError for a state that no writer produced */
export function readWriterState(state: unknown): WriterState {
  return writerStateSchema.parse(state);
}

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
