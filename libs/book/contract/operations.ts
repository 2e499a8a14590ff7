import { z } from 'zod';
import { chapterOutlineChangesSchema, outlineChapterSchema } from './outline.js';

const chapter = z
  .number()
  .int()
  .min(1)
  .max(1_000)
  .describe('number of the chapter before the first operation');
const after = z.number().int().min(0).max(1_000).describe('number of the chapter before it; 0: first');
const reason = z.string().max(500).default('');
const { title } = outlineChapterSchema.shape;
const { summary, sections, terms } = chapterOutlineChangesSchema.shape;
const content = { summary, sections, terms };

const operations = [
  z.object({ op: z.literal('add'), after, title, ...content, reason }),
  z.object({ op: z.literal('remove'), chapter, reason }),
  z.object({ op: z.literal('move'), chapter, after, reason }),
  z.object({
    op: z.literal('merge'),
    chapters: z.array(chapter).min(2).max(20),
    title: title.optional(),
    reason,
  }),
  z.object({ op: z.literal('split'), chapter, titles: z.array(title).length(2).optional(), reason }),
  z.object({ op: z.literal('rename'), chapter, title, reason }),
  z.object({ op: z.literal('edit'), chapter, ...content, reason }),
] as const;

/** Changes of an outline, as a model proposes them. Numbers are those before the first change. */
export const outlineOperationSchema = z.discriminatedUnion('op', operations);
export type OutlineOperation = z.infer<typeof outlineOperationSchema>;

/** Changes of an outline, as clients send them: without unknown fields. */
export const givenOperationsSchema = z
  .array(
    z.discriminatedUnion(
      'op',
      operations.map((operation) => operation.strict()) as unknown as typeof operations,
    ),
  )
  .min(1)
  .max(200);
export type GivenOperation = z.input<typeof givenOperationsSchema>[number];

export const operationNames = operations.map(({ shape }) => shape.op.value);
