import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { ToolError, type InputPage } from '#kit/graph/ports.js';
import { placeSpan } from './placed-source.js';
import type { ToolSession } from './tool-session.js';
import {
  checkpointIdSchema,
  EMPTY_MANUSCRIPT,
  sanitizeLabel,
  sourceNameSchema,
  textSchema,
} from './validation.js';

/**
 * Maximum characters of one append or edit: lines cannot be split, and even one of ten megabytes must be
 * carried.
 */
const LONGEST_TEXT = 16 * 1024 * 1024;

/** Arguments of each tool; invalid ones are refused before it runs (D13). */
const SCHEMAS = {
  list_files: z.object({}),
  read_file: z.object({
    filename: sourceNameSchema,
    cursor: z.number().int().min(0).optional(),
    max_lines: z.number().int().min(1).max(10_000).optional().describe('read at most so many lines'),
  }),
  read_generated_file: z.object({ lines: z.number().int().min(1).max(2000) }),
  place_source: z.object({
    filename: sourceNameSchema,
    from_line: z.number().int().min(1).default(1).describe('first line to place'),
    to_line: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('last line to place; by default the last of the file'),
    as: z
      .enum(['fence', 'markdown'])
      .describe('fence: code, logs, data, plain text; markdown: Markdown files'),
    language: z
      .string()
      .regex(/^[\w+#.-]{1,40}$/)
      .optional()
      .describe('language of the fence, by default that of the file name'),
    heading: z
      .string()
      .regex(/^#{1,6} \S[^\n]{0,300}$/)
      .optional()
      .describe('heading line above the lines, such as "# Log: app.log"'),
  }),
  append_to_markdown: z.object({ content: textSchema(LONGEST_TEXT).min(1) }),
  edit_markdown_line: z.object({
    line_number: z.number().int().min(1),
    new_content: textSchema(LONGEST_TEXT),
  }),
  create_checkpoint: z.object({ label: z.string().min(1).max(200) }),
  rollback_to_checkpoint: z.object({ checkpoint_id: checkpointIdSchema }),
  request_human_input: z.object({
    question: textSchema(4000).min(1),
    refs: z.array(textSchema(1000).min(1)).max(100).optional(),
  }),
};

/** D6–D8: tools that only read. */
function readingTools(session: ToolSession): StructuredToolInterface[] {
  const { inputs, manuscripts } = session.ports;
  return [
    tool(async () => JSON.stringify(await inputs.list()), {
      name: 'list_files',
      description:
        'List the input files of the session in processing order, as a JSON array of {name, bytes}.',
      schema: SCHEMAS.list_files,
    }),
    tool(
      async ({ filename, cursor, max_lines }) => {
        const page = firstLines(await inputs.readPage(filename, cursor ?? 0), max_lines);
        if (page.next_cursor === null) session.filesRead.push(filename);
        const where = `lines ${page.first_line}-${page.last_line} bytes ${page.start}-${page.end} of ${page.size}`;
        const next = page.next_cursor === null ? 'end of file' : `next cursor ${page.next_cursor}`;
        return `[file "${filename}" ${where}; ${next}]\n${page.text}`;
      },
      {
        name: 'read_file',
        description:
          'Read an input file (UTF-8 text). The first line of the result is a header; the text follows verbatim. ' +
          'Large files come in pages: pass the "next cursor" of the header to read on. ' +
          'To look at a file that you place with place_source, read its first lines with max_lines.',
        schema: SCHEMAS.read_file,
      },
    ),
    tool(async ({ lines }) => manuscripts.tail(session.manuscript, lines), {
      name: 'read_generated_file',
      description:
        'Read the last N lines of the manuscript written so far; empty when nothing is written yet.',
      schema: SCHEMAS.read_generated_file,
    }),
  ];
}

/** Returns a page cut after a number of lines. */
function firstLines(page: InputPage, limit: number | undefined): InputPage {
  const lines = page.text.split('\n');
  if (limit === undefined || lines.length <= limit) return page;
  const text = `${lines.slice(0, limit).join('\n')}\n`;
  const end = page.start + Buffer.byteLength(text);
  if (end >= page.end) return page;
  return { ...page, text, end, last_line: page.first_line + limit - 1, next_cursor: end };
}

/** D9, D10: tools that change the manuscript. */
function writingTools(session: ToolSession): StructuredToolInterface[] {
  const { inputs, manuscripts } = session.ports;
  return [
    tool(
      async (span) => {
        const { markdown, from, to, lines } = await placeSpan(inputs, span);
        const version = await manuscripts.append(session.manuscript, markdown);
        session.moveTo(version);
        if (to === lines) session.filesPlaced.push(span.filename);
        return `Placed lines ${from}-${to} of ${lines} of "${span.filename}"; the manuscript has ${version.lines} lines.`;
      },
      {
        name: 'place_source',
        description:
          'Copy lines of an input file to the end of the manuscript, byte for byte, without typing them: the whole file ' +
          'by default. Much cheaper than append_to_markdown, and always exact.',
        schema: SCHEMAS.place_source,
      },
    ),
    tool(
      async ({ content }) => {
        const version = await manuscripts.append(session.manuscript, content);
        session.moveTo(version);
        return `Appended ${version.added} lines; the manuscript has ${version.lines} lines.`;
      },
      {
        name: 'append_to_markdown',
        description:
          'Append markdown to the end of the manuscript. Code and logs go verbatim into fenced blocks. A fence may stay ' +
          'open and be continued and closed by later appends.',
        schema: SCHEMAS.append_to_markdown,
      },
    ),
    tool(
      async ({ line_number, new_content }) => {
        session.moveTo(await manuscripts.editLine(session.manuscript, line_number, new_content));
        return `Line ${line_number} replaced.`;
      },
      {
        name: 'edit_markdown_line',
        description:
          'Replace one line of the manuscript (1-based line number), for instance to mend a validation issue.',
        schema: SCHEMAS.edit_markdown_line,
      },
    ),
  ];
}

/** D11, D12: checkpoints. */
function checkpointTools(session: ToolSession): StructuredToolInterface[] {
  const { checkpoints, manuscripts, emit } = session.ports;
  return [
    tool(
      async ({ label }) => {
        if (session.manuscript === null)
          throw new ToolError('there is nothing to checkpoint yet: append the chapter first');
        const effectKey = session.effectKey();
        const safe = sanitizeLabel(label);
        const id = await checkpoints.create({
          label: safe,
          manuscript: session.manuscript,
          effectKey,
          validated: false,
        });
        session.checkpointId = id;
        emit({
          type: 'checkpoint_saved',
          data: { checkpoint_id: id, label: safe, validated: false },
          effectKey,
        });
        return id;
      },
      {
        name: 'create_checkpoint',
        description:
          'Mark the chapter as complete: saves a checkpoint and starts the validation. Returns the checkpoint id.',
        schema: SCHEMAS.create_checkpoint,
      },
    ),
    tool(
      async ({ checkpoint_id }) => {
        const isEmpty = checkpoint_id === EMPTY_MANUSCRIPT;
        const pointer = isEmpty ? null : await checkpoints.restore(checkpoint_id);
        const effectKey = session.effectKey();
        if (pointer === null && !isEmpty) {
          emit({
            type: 'rollback_skipped',
            data: { checkpoint_id, reason: 'checkpoint not found' },
            effectKey,
          });
          return 'Checkpoint not found';
        }
        session.moveTo(pointer === null ? null : await manuscripts.describe(pointer));
        emit({ type: 'rollback_performed', data: { checkpoint_id }, effectKey });
        return `Restored ${checkpoint_id}`;
      },
      {
        name: 'rollback_to_checkpoint',
        description: `Put the manuscript back to an earlier checkpoint, named by its id; "${EMPTY_MANUSCRIPT}" empties it.`,
        schema: SCHEMAS.rollback_to_checkpoint,
      },
    ),
  ];
}

function askingTool(session: ToolSession): StructuredToolInterface {
  return tool(
    async ({ question, refs }) => {
      session.ask(question, refs ?? []);
      return 'The question is put to a person; the run goes on with the answer.';
    },
    {
      name: 'request_human_input',
      description:
        'Ask a person, for instance when a file that a source refers to is missing. List the missing references in refs, ' +
        'exactly as the source writes them.',
      schema: SCHEMAS.request_human_input,
    },
  );
}

/**
 * Returns the tools of the document agent, bound to a session (D5). Invalid arguments are refused before a
 * tool runs.
 */
export function getTools(session: ToolSession): StructuredToolInterface[] {
  return [
    ...readingTools(session),
    ...writingTools(session),
    ...checkpointTools(session),
    askingTool(session),
  ];
}
