import { CALLOUTS } from './callouts.js';
import { z } from 'zod';

const mark = z.enum([
  'bold',
  'italic',
  'strike',
  'code',
  'underline',
  'subscript',
  'superscript',
  'highlight',
]);

/** Text with uniform formatting. `value` contains no line breaks; those are separate `break`s. */
const text = z.object({
  type: z.literal('text'),
  value: z.string(),
  marks: z.array(mark).optional(),
});

/** `anchor` is the ID of a heading, figure, table or anchor here; null means an external address. */
const link = z.object({
  type: z.literal('link'),
  url: z.string(),
  anchor: z.string().nullable(),
  title: z.string().nullable(),
  get content(): z.ZodArray<typeof inline> {
    return z.array(inline);
  },
});

/** `ref` is the reference exactly as in the Markdown. Sizes are in CSS pixels; null if unspecified. */
const image = z.object({
  type: z.literal('image'),
  ref: z.string(),
  alt: z.string(),
  title: z.string().nullable(),
  width: z.number().positive().nullable(),
  height: z.number().positive().nullable(),
});

const inline = z.discriminatedUnion('type', [
  text,
  z.object({ type: z.literal('break') }),
  link,
  image,
  /** Reference to the note with this `id` in `notes`. */
  z.object({ type: z.literal('note_ref'), id: z.string() }),
  /** TeX formula without its dollars. */
  z.object({ type: z.literal('math'), tex: z.string() }),
  /** Anchor to which links can point. */
  z.object({ type: z.literal('anchor'), id: z.string() }),
]);
const content = z.array(inline);

const line = z.int().positive();
const placed = { line, end_line: line };
const align = z.enum(['left', 'center', 'right']);

const heading = z.object({
  type: z.literal('heading'),
  level: z.int().min(1).max(6),
  id: z.string().min(1),
  content,
  ...placed,
});

/** `checked` is null if the item is not a task. */
const listItem = z.object({
  checked: z.boolean().nullable(),
  get blocks(): z.ZodArray<typeof block> {
    return z.array(block);
  },
});

/** `start` is the first number of an ordered list (zero or more), null for bullets; `delimiter` is absent for a full stop. */
const list = z.object({
  type: z.literal('list'),
  ordered: z.boolean(),
  start: z.int().min(0).nullable(),
  delimiter: z.literal(')').optional(),
  items: z.array(listItem),
  ...placed,
});

// A getter in an object that is spread would make its type circular.
const quote = z.object({
  type: z.literal('quote'),
  get blocks(): z.ZodArray<typeof block> {
    return z.array(block);
  },
  line,
  end_line: line,
});

const callout = z.object({
  type: z.literal('callout'),
  kind: z.enum(CALLOUTS),
  get blocks(): z.ZodArray<typeof block> {
    return z.array(block);
  },
  line,
  end_line: line,
});

const tableRow = z.object({ header: z.boolean(), cells: z.array(content) });

/** Every row has as many cells as `align`. `id` and `number` are null without a caption. */
const table = z.object({
  type: z.literal('table'),
  align: z.array(align.nullable()),
  rows: z.array(tableRow),
  caption: content.nullable(),
  id: z.string().nullable(),
  number: z.int().positive().nullable(),
  ...placed,
});

const paragraph = z.object({ type: z.literal('paragraph'), content, align: align.optional(), ...placed });

/** `text` is the exact code; lines end with `\n`, except the last. */
const code = z.object({
  type: z.literal('code'),
  language: z.string().nullable(),
  text: z.string(),
  ...placed,
});

/** Image that is alone in its paragraph and has a caption. */
const figure = z.object({
  type: z.literal('figure'),
  image,
  caption: z.string(),
  id: z.string(),
  number: z.int().positive(),
  ...placed,
});

const block = z.discriminatedUnion('type', [
  heading,
  paragraph,
  code,
  list,
  quote,
  callout,
  table,
  figure,
  z.object({ type: z.literal('math'), tex: z.string(), ...placed }),
  z.object({ type: z.literal('rule'), ...placed }),
]);

/** Footnote. `number` counts from 1 in the order of first reference. */
const note = z.object({ id: z.string(), number: z.int().positive(), line, blocks: z.array(block) });
const headingEntry = z.object({ id: z.string(), level: z.int().min(1).max(6), text: z.string(), line });
const assetEntry = z.object({ ref: z.string(), alt: z.string(), line });

/**
 * `structure.json`, version 1 (D24): a document as plain data for any writer. It contains text, not markup: references are resolved, entities
 * decoded, HTML converted to blocks, front matter to properties. `line` and `end_line` are 1-based lines of the original Markdown.
 *
 * A reader must reject unknown versions and ignore unknown keys.
 */
export const structureSchema = z.object({
  version: z.literal(1),
  /** Unchanged front matter. */
  properties: z.record(z.string(), z.unknown()),
  /** Title from the front matter, else of the first level-1 heading, else of the first heading, else null. */
  title: z.string().nullable(),
  /** All headings in order, for the table of contents. */
  headings: z.array(headingEntry),
  blocks: z.array(block),
  notes: z.array(note),
  /** All images in order, one entry per occurrence. */
  assets: z.array(assetEntry),
  /** Lines to which links lead whose anchor is `lineAnchor`; absent if there are none. */
  linked_lines: z.array(line).optional(),
});

/** Returns the anchor of a line of the Markdown. */
export const lineAnchor = (line: number): string => `line ${line}`;

export type Mark = z.infer<typeof mark>;
export type TextInline = z.infer<typeof text>;
export type LinkInline = z.infer<typeof link>;
export type ImageInline = z.infer<typeof image>;
export type Inline = z.infer<typeof inline>;
export type Align = z.infer<typeof align>;
export type HeadingBlock = z.infer<typeof heading>;
export type ParagraphBlock = z.infer<typeof paragraph>;
export type CodeBlock = z.infer<typeof code>;
export type ListItem = z.infer<typeof listItem>;
export type ListBlock = z.infer<typeof list>;
export type CalloutBlock = z.infer<typeof callout>;
export type TableRow = z.infer<typeof tableRow>;
export type TableBlock = z.infer<typeof table>;
export type FigureBlock = z.infer<typeof figure>;
export type Block = z.infer<typeof block>;
export type Note = z.infer<typeof note>;
export type HeadingEntry = z.infer<typeof headingEntry>;
export type AssetEntry = z.infer<typeof assetEntry>;
export type Structure = z.infer<typeof structureSchema>;
