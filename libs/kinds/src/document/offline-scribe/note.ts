import { z } from 'zod';

/**
 * What the scribe tells itself from one message to the next. The scribe keeps nothing in memory: the last line of each of its
 * messages holds this note, so a run can go on in any process, over HTTP and after a restart.
 */
export const noteSchema = z.object({
  /** What the tool calls of this message are for. */
  phase: z.enum(['write', 'written', 'ask', 'attach', 'mend', 'closed']),
  /** The file being written, and the byte its unread part begins at. */
  file: z.string().optional(),
  cursor: z.number().int().optional(),
  /** State of the file's writer; absent before the first page. */
  writer: z.record(z.string(), z.unknown()).optional(),
  /** Files that are written together, in one chapter's messages: those that stand there, and those that come next. */
  batch: z.object({ done: z.array(z.string()), ahead: z.array(z.string()) }).optional(),
  /** References a person was asked about, so that none is asked twice. */
  asked: z.array(z.string()).optional(),
  /** Files of a closed chapter: they are rewritten if it does not pass. */
  chapter: z.array(z.string()).optional(),
  /** Files that are carried verbatim, each in one fence, because the chapter did not pass otherwise. */
  asWritten: z.array(z.string()).optional(),
  /** Images that a verbatim file has named so far: they follow its fence. */
  images: z.array(z.string()).optional(),
  /** Files of this chapter that could not be read. */
  unreadable: z.array(z.string()).optional(),
  /** Attachments: index of the text source being looked through, and indexes of the images it and earlier ones place. */
  source: z.number().int().optional(),
  placed: z.array(z.number().int()).optional(),
  /** How often the calls of this message were tried before. */
  retries: z.number().int().optional(),
});
export type Note = z.infer<typeof noteSchema>;

const NOTE = /(?:^|\n)\[scribe (\{.*\})\]$/;

export function renderNote(sentence: string, note: Note): string {
  return `${sentence}\n[scribe ${JSON.stringify(note)}]`;
}

/** The note at the end of a message; null when another model wrote it. */
export function parseNote(content: string): Note | null {
  const json = NOTE.exec(content)?.[1];
  if (json === undefined) return null;
  try {
    return noteSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
