import { z } from 'zod';
import { CALLOUTS, MARKS, STRUCTURE_VERSION, type Block, type Inline, type Structure } from './schema.js';

const text = z.object({
  type: z.literal('text'),
  value: z.string(),
  marks: z.array(z.enum(MARKS)).optional(),
});
const image = z.object({
  type: z.literal('image'),
  ref: z.string(),
  alt: z.string(),
  title: z.string().nullable(),
  width: z.number().positive().nullable(),
  height: z.number().positive().nullable(),
});
const inline: z.ZodType<Inline> = z.lazy(() =>
  z.discriminatedUnion('type', [
    text,
    z.object({ type: z.literal('break') }),
    z.object({
      type: z.literal('link'),
      url: z.string(),
      anchor: z.string().nullable(),
      title: z.string().nullable(),
      content: z.array(inline),
    }),
    image,
    z.object({ type: z.literal('note_ref'), id: z.string() }),
    z.object({ type: z.literal('math'), tex: z.string() }),
    z.object({ type: z.literal('anchor'), id: z.string() }),
  ]),
);
const line = z.int().positive();
const placed = { line, end_line: line };
const content = z.array(inline);
const align = z.enum(['left', 'center', 'right']);
const blocks: z.ZodType<Block[]> = z.lazy(() => z.array(block));
const block: z.ZodType<Block> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('heading'),
      level: z.int().min(1).max(6),
      id: z.string().min(1),
      content,
      ...placed,
    }),
    z.object({ type: z.literal('paragraph'), content, align: align.optional(), ...placed }),
    z.object({ type: z.literal('code'), language: z.string().nullable(), text: z.string(), ...placed }),
    z.object({
      type: z.literal('list'),
      ordered: z.boolean(),
      start: z.int().min(0).nullable(),
      delimiter: z.literal(')').optional(),
      items: z.array(z.object({ checked: z.boolean().nullable(), blocks })),
      ...placed,
    }),
    z.object({ type: z.literal('quote'), blocks, ...placed }),
    z.object({ type: z.literal('callout'), kind: z.enum(CALLOUTS), blocks, ...placed }),
    z.object({
      type: z.literal('table'),
      align: z.array(align.nullable()),
      rows: z.array(z.object({ header: z.boolean(), cells: z.array(content) })),
      caption: content.nullable(),
      id: z.string().nullable(),
      number: z.int().positive().nullable(),
      ...placed,
    }),
    z.object({
      type: z.literal('figure'),
      image,
      caption: z.string(),
      id: z.string(),
      number: z.int().positive(),
      ...placed,
    }),
    z.object({ type: z.literal('math'), tex: z.string(), ...placed }),
    z.object({ type: z.literal('rule'), ...placed }),
  ]),
);

/** Schema of a parsed `structure.json`; the types in `schema.ts` describe each key. */
export const structureSchema: z.ZodType<Structure> = z.object({
  version: z.literal(STRUCTURE_VERSION),
  properties: z.record(z.string(), z.unknown()),
  title: z.string().nullable(),
  headings: z.array(z.object({ id: z.string(), level: z.int().min(1).max(6), text: z.string(), line })),
  blocks,
  notes: z.array(z.object({ id: z.string(), number: z.int().positive(), line, blocks })),
  assets: z.array(z.object({ ref: z.string(), alt: z.string(), line })),
});
