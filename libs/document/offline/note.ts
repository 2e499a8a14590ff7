import { z } from 'zod';

/**
 * State that the offline writer passes from one message to the next. It keeps nothing else: the last line of
 * each message contains this note, so a run can continue in any process, over HTTP and after a restart.
 */
const noteSchema = z.object({
  /** Purpose of the tool calls of this message. */
  phase: z.enum(['write', 'written', 'ask', 'attach', 'mend', 'closed']),
  /** File being written, and the byte offset of its unread part. */
  file: z.string().optional(),
  cursor: z.number().int().optional(),
  /** State of the file's writer; absent before the first page. */
  writer: z.record(z.string(), z.unknown()).optional(),
  /** Files written in one chapter's messages: `done` are written, `ahead` are next. */
  batch: z.object({ done: z.array(z.string()), ahead: z.array(z.string()) }).optional(),
  /** References that a person was asked about, so that each is asked once. */
  asked: z.array(z.string()).optional(),
  /** Files of a closed chapter; they are rewritten if it fails validation. */
  chapter: z.array(z.string()).optional(),
  /** Files carried verbatim, each in one code fence, because the chapter failed validation otherwise. */
  asWritten: z.array(z.string()).optional(),
  /** Images named so far by a verbatim file; they follow its code fence. */
  images: z.array(z.string()).optional(),
  /** Unreadable files of this chapter. */
  unreadable: z.array(z.string()).optional(),
  /**
   * Attachments: index of the text source being read, and indexes of the images placed by it and earlier
   * ones.
   */
  source: z.number().int().optional(),
  placed: z.array(z.number().int()).optional(),
  /** Number of earlier attempts of this message's calls. */
  retries: z.number().int().optional(),
});
export type Note = z.infer<typeof noteSchema>;

const NOTE = /(?:^|\n)\[scribe (\{.*\})\]$/;

export function renderNote(sentence: string, note: Note): string {
  return `${sentence}\n[scribe ${JSON.stringify(note)}]`;
}

/** Returns the note at the end of a message; null if another model wrote the message. */
export function parseNote(content: string): Note | null {
  const json = NOTE.exec(content)?.[1];
  if (json === undefined) return null;
  try {
    return noteSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
