import type { ToolCall } from './conversation.js';
import type { Note } from './note.js';

/**
 * Next step of the offline writer: a sentence for people, its tool calls, and its note. Without calls, the
 * writer has finished.
 */
export interface WriterStep {
  sentence: string;
  calls: ToolCall[];
  note: Note;
}

export function checkpointCall(label: string): ToolCall {
  return { name: 'create_checkpoint', args: { label } };
}

export function appendCall(content: string): ToolCall[] {
  return content === '' ? [] : [{ name: 'append_to_markdown', args: { content } }];
}

/** Merges two consecutive appends, separated by a blank line as two appends would be. */
export function joinAppends(calls: ToolCall[]): ToolCall[] {
  const [first, second, ...rest] = calls;
  if (first?.name !== 'append_to_markdown' || second?.name !== 'append_to_markdown') return calls;
  return [...appendCall(`${String(first.args.content)}\n${String(second.args.content)}`), ...rest];
}

/** Marks the chapter of a completely written file as complete. */
export function completeChapter(
  chapter: number,
  file: string,
  note: Pick<Note, 'chapter' | 'asWritten'>,
): WriterStep {
  return {
    sentence: `Chapter ${chapter}: ${file} is written.`,
    calls: [checkpointCall(labelFor(file))],
    note: { phase: 'closed', chapter: note.chapter, asWritten: note.asWritten },
  };
}

/** Finishes the work after the last file. */
export function finishAll(fileCount: number): WriterStep {
  return finish(`All ${fileCount} files are written.`);
}

export function finish(sentence: string): WriterStep {
  return { sentence, calls: [], note: { phase: 'closed' } };
}

/** Returns a checkpoint's label: the end of the file's path, with characters that any file system accepts. */
export function labelFor(file: string): string {
  const words = file
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return words === '' ? 'chapter' : words.slice(-60).replace(/^_+/, '');
}
