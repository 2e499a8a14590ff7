import type { ToolCall } from './conversation.js';
import type { Note } from './note.js';

/** What the scribe does next: a sentence for the person who watches, its tool calls, and the note to itself. No calls: it has finished. */
export interface Plan {
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

/** Appends that follow each other as one, a blank line between them as two would have. */
export function joinAppends(calls: ToolCall[]): ToolCall[] {
  const [first, second, ...rest] = calls;
  if (first?.name !== 'append_to_markdown' || second?.name !== 'append_to_markdown') return calls;
  return [...appendCall(`${String(first.args.content)}\n${String(second.args.content)}`), ...rest];
}

/** The file is written to its end: only now is its chapter marked as complete. */
export function completeChapter(
  chapter: number,
  file: string,
  note: Pick<Note, 'chapter' | 'asWritten'>,
): Plan {
  return {
    sentence: `Chapter ${chapter}: ${file} is written.`,
    calls: [checkpointCall(labelFor(file))],
    note: { phase: 'closed', chapter: note.chapter, asWritten: note.asWritten },
  };
}

/** Every file is written: nothing is left to do. */
export function finishAll(fileCount: number): Plan {
  return finish(`All ${fileCount} files are written.`);
}

export function finish(sentence: string): Plan {
  return { sentence, calls: [], note: { phase: 'closed' } };
}

/** Returns a checkpoint's label: the end of the file's path in words that any file system takes. */
export function labelFor(file: string): string {
  const words = file
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return words === '' ? 'chapter' : words.slice(-60).replace(/^_+/, '');
}
