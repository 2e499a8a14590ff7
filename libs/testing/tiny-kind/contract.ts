import { defineRunKind } from '#contracts/run-kind.js';
import { z } from 'zod';

/** A kind of run for tests only: it collects words, delegates and ends. The product does not refer to it. */
export const tinyKind = defineRunKind({
  kind: 'tiny',
  modes: ['collect', 'ask_child'],
  inputs: z.object({
    word: z.string().min(1).max(100),
    /** Mode and budget of the child, for the mode `ask_child`. */
    child_mode: z.string().optional(),
    child_tokens: z.number().int().optional(),
  }),
  needsFiles: false,
  tasks: {
    tiny_shout: {
      queue: 'converter',
      input: z.object({ session_id: z.string(), word: z.string() }),
      output: z.object({ word: z.string() }),
      timeoutMs: 30_000,
      attempts: 2,
    },
  },
  questions: {
    tiny_choice: {
      details: z.object({ offers: z.array(z.string()) }),
      answer: ({ details }) =>
        z.object({ word: z.enum(details['offers'] as [string, ...string[]]) }).strict(),
    },
  },
  events: { tiny_word: 'a word was added' },
  progress: z.object({ words: z.array(z.string()) }),
  results: {
    words: { mediaType: 'text/plain; charset=utf-8', fileName: 'words.txt', description: 'the words so far' },
  },
});
