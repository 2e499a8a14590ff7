import { oneLine } from '#contracts/text.js';
import { readJson, type Operation } from '#kit/graph/structured.js';
import { DATA_RULE, promptOf, tagged } from '#kit/graph/tagged.js';
import { chapterOutlineSchema, outlineChapterSchema, type OutlineChapter } from '../contract/outline.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { z } from 'zod';
import type { BookSnapshot, OutlinedChapter } from '../graph/ports.js';
import type { Passage } from '../graph/texts.js';
import { outlineOperationSchema } from '../contract/operations.js';
import { briefBlock } from './context.js';

const SYSTEM = `You plan a book with the author described in <brief>, as an experienced editor of such books would. Your answer becomes the outline from which the chapters are written.
${DATA_RULE}
Answer with one JSON object and nothing else.`;

const outlinePartSchema = z.object({
  synopsis: z.string().max(5_000).optional(),
  chapters: z
    .array(chapterOutlineSchema.omit({ passages: true }).extend({ title: outlineChapterSchema.shape.title }))
    .max(60),
  enough: z
    .string()
    .max(1_000)
    .nullish()
    .describe('only with fewer chapters than asked for: why the sources support no further one'),
});
interface OutlinePart {
  synopsis: string | undefined;
  chapters: z.infer<typeof outlinePartSchema>['chapters'];
  /** Why no further chapter follows; empty if all were given. */
  enough: string;
}

/** Characters of the table of contents of the sources, and of the beginning shown of each section. */
const MAX_CONTENTS = 40_000;
const BEGINNING = 160;

/** The sources as a table of contents: titles, headings, length, and how each section begins. */
function sourceContents(passages: Passage[]): string {
  const lines: string[] = [];
  const shown = new Set<string>();
  let size = 0;
  for (const { source_id, source_title, heading_path: path, text } of passages) {
    const key = `${source_id}/${path.join('/')}`;
    if (shown.has(key)) continue;
    if (!shown.has(source_id)) lines.push(`Source "${source_title}":`);
    shown.add(key).add(source_id);
    const line = `- ${path.join(' > ') || 'beginning'}: ${beginningOf(text).toWellFormed()}…`;
    const inner = headingsIn(text, path)
      .map((heading) => `\n  - also: ${heading}`)
      .join('');
    size += line.length + inner.length;
    if (size > MAX_CONTENTS) return [...lines, '(The rest of the sources is not shown.)'].join('\n');
    lines.push(line + inner);
  }
  return lines.join('\n');
}

/** Returns the first words below the heading with which a passage begins. */
const beginningOf = (text: string): string => oneLine(text.replace(/^#{1,6} .*\n/, '')).slice(0, BEGINNING);

/** Returns the headings inside a passage that its path does not name. */
const headingsIn = (text: string, path: string[]): string[] =>
  splitParagraphs(text)
    .filter(({ kind }) => kind === 'heading')
    .map(({ text: heading }) => heading.replace(/^#{1,6} /, '').slice(0, 200))
    .filter((heading) => !path.includes(heading));

/** Generates a part of the outline: chapters `from` to `to` of `total` (B13: `generate_outline`). */
export function generateOutline(
  book: BookSnapshot,
  passages: Passage[],
  before: OutlineChapter[],
  part: { from: number; to: number; total: number },
): Operation<OutlinePart> {
  const first = before.length - Math.min(30, before.length);
  const known = before.slice(first).map(({ title }, i) => `${first + i + 1}. ${title}`);
  const wanted = part.to - part.from + 1;
  return {
    name: 'generate_outline',
    tier: 'main',
    system: SYSTEM,
    prompt: promptOf(
      briefBlock(book),
      tagged('passages', sourceContents(passages)),
      tagged('outline', known.join('\n')),
      `Task: Give chapters ${part.from} to ${part.to} of ${part.total} of the outline: ${wanted} chapters${known.length > 0 ? ', each different from those in <outline>' : ''}.
- <passages> is the table of contents of the author's sources. Plan what they can support; a chapter without a source stays empty. Where they tell much, divide it until you have ${wanted} chapters.
- If they do not support ${wanted} chapters, give fewer, and say in "enough" why no further one is supported: one sentence to the author, in the language of <brief>. A book of fewer chapters is better than a chapter without a source. Leave "enough" out if you give all ${wanted}.
- "synopsis": the argument of the whole book, in two sentences.
- "summary": the purpose of the chapter, and what the reader knows after it. One to three sentences.
- "sections": in the order in which the reader needs them, with the points to make and, in brackets, the source of each.
- "terms": names and terms that the chapter introduces.
- Titles name the subject ("The winter of 1893"), not its kind ("Introduction").
Form: {"synopsis": "…", "chapters": [{"title": "…", "summary": "…", "sections": [{"title": "…", "points": ["… (Station log)"]}], "terms": ["…"]}]}`,
    ),
    schema: outlinePartSchema,
    read(answer) {
      const read = readJson(outlinePartSchema, answer);
      const { length } = read.chapters;
      const enough = length < wanted ? (read.enough?.trim() ?? '') : '';
      if (length < wanted && enough === '')
        throw new Error(
          `it has ${length} chapters, not ${wanted}. Give ${wanted}, or say in "enough" why fewer are enough.`,
        );
      if (length + before.length === 0) throw new Error('it has no chapter.');
      return { synopsis: read.synopsis, chapters: read.chapters.slice(0, wanted), enough };
    },
  };
}

const refinementSchema = z.object({
  operations: z.array(outlineOperationSchema).max(200).default([]),
  cannot: z.array(z.string().max(1_000)).max(50).default([]),
});
type Refinement = z.infer<typeof refinementSchema>;

/** Refines the outline by the author's feedback, as a list of operations (B13: `refine_outline`). */
export function refineOutline(
  book: BookSnapshot,
  passages: Passage[],
  feedback: string,
): Operation<Refinement> {
  return {
    name: 'refine_outline',
    tier: 'main',
    system: SYSTEM,
    prompt: promptOf(
      briefBlock(book),
      tagged('passages', sourceContents(passages)),
      tagged('outline', outlineText(book.chapters)),
      tagged('feedback', feedback),
      `Task: turn <feedback> into operations on the outline. The author sees the operations before they are applied.
- Use the numbers of <outline>, as they are before the first operation. "after": 0 places a chapter first.
- "reason" says in a few words which part of the feedback the operation serves, in the language of <feedback>. If no source in <passages> covers an added chapter, add it as asked and say so there.
- Change only what the feedback asks for. "edit" needs only the fields that change, each in full: it replaces the old one.
- "split" moves the second half of a chapter's sections into a new chapter after it; "titles" names both. "merge" joins the sections of the chapters in their order.
- Operations change the outline only. A request for something else, such as another tone or title of the book, goes into "cannot", with where to change it: the profile of the book.
- Put what is unclear or contradicts itself into "cannot", as a question to the author in the language of <feedback>, and change nothing for it. It is better to ask than to guess.
Form: {"operations": [
{"op": "add", "after": 2, "title": "…", "summary": "…", "sections": [{"title": "…", "points": ["…"]}], "terms": ["…"], "reason": "…"},
{"op": "remove", "chapter": 3, "reason": "…"},
{"op": "move", "chapter": 5, "after": 1, "reason": "…"},
{"op": "merge", "chapters": [6, 7], "title": "…", "reason": "…"},
{"op": "split", "chapter": 8, "titles": ["…", "…"], "reason": "…"},
{"op": "rename", "chapter": 1, "title": "…", "reason": "…"},
{"op": "edit", "chapter": 4, "summary": "…", "reason": "…"}],
"cannot": ["Which of the two chapters on oil should go?"]}`,
    ),
    schema: refinementSchema,
    read(answer) {
      const read = readJson(refinementSchema, answer);
      if (read.operations.length === 0 && read.cannot.length === 0)
        throw new Error('it has neither operations nor a reason in "cannot".');
      return read;
    },
  };
}

/** Characters of an outline that a prompt shows with all its points; a longer one is shown without points and terms. */
const MAX_OUTLINE = 60_000;
const SHORT_SUMMARY = 200;

/** The whole outline, a chapter a line. */
function outlineText(chapters: OutlinedChapter[]): string {
  const full = chapters
    .map(({ number, title, outline: { summary, sections, terms } }) =>
      JSON.stringify({ number, title, summary, sections, terms }),
    )
    .join('\n');
  if (full.length <= MAX_OUTLINE) return full;
  const short = chapters.map(({ number, title, outline: { summary, sections } }) =>
    JSON.stringify({
      number,
      title,
      summary: summary.slice(0, SHORT_SUMMARY).toWellFormed(),
      sections: sections.map((section) => section.title),
    }),
  );
  const note =
    'The outline is long: summaries are cut, and the points of sections and the terms are not shown.';
  return [note, ...short].join('\n');
}
