import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { ToolError, type ManuscriptVersion } from '#kit/graph/ports.js';
import { saveCheckpoint } from '../save-checkpoint.js';
import { PLACE_FORMS, placeSpan, placeWithin } from './place-forms.js';
import { ownWordsTools } from './own-words.js';
import { readingTools } from './reading-tools.js';
import type { ToolSession } from './tool-session.js';
import { checkpointIdSchema, EMPTY_MANUSCRIPT, sourceNameSchema, textSchema } from './validation.js';

/**
 * Maximum characters of one append or edit. It is this large because lines cannot be split, not even a line of
 * ten megabytes.
 */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

/** Arguments of each tool; invalid ones are refused before it runs (D13). */
const SCHEMAS = {
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
      .enum(PLACE_FORMS)
      .describe(
        'fence: code block, for code, logs, configuration and data; prose: Markdown and text files; ' +
          'table: a whole CSV file; list: one item for each line of a text file; image: an input image',
      ),
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
    after_line: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe(
        'line of the manuscript behind which the lines are put; by default its last; 0 for the start',
      ),
  }),
  append_to_markdown: z.object({ content: textSchema(MAX_TEXT_LENGTH).min(1) }),
  edit_markdown_line: z.object({
    line_number: z.number().int().min(1),
    new_content: textSchema(MAX_TEXT_LENGTH),
  }),
  insert_after_line: z.object({
    line_number: z.number().int().min(0).describe('0 inserts at the start'),
    content: textSchema(MAX_TEXT_LENGTH).min(1),
  }),
  replace_lines: z.object({
    from_line: z.number().int().min(1),
    to_line: z.number().int().min(1).describe('last line to replace'),
    new_content: textSchema(MAX_TEXT_LENGTH).describe('"" removes the lines'),
  }),
  move_lines: z.object({
    from_line: z.number().int().min(1),
    to_line: z.number().int().min(1).describe('last line to move'),
    after_line: z.number().int().min(0).describe('line behind which they are put; 0 for the start'),
  }),
  create_checkpoint: z.object({ label: z.string().min(1).max(200) }),
  rollback_to_checkpoint: z.object({ checkpoint_id: checkpointIdSchema }),
  request_human_input: z.object({
    question: textSchema(4000).min(1),
    refs: z.array(textSchema(1000).min(1)).max(100).optional(),
  }),
};

/** Names of the tools that change the manuscript, except the rollback. */
export const CHANGING_TOOLS: ReadonlySet<string> = new Set([
  'place_source',
  'append_to_markdown',
  'edit_markdown_line',
  'insert_after_line',
  'replace_lines',
  'move_lines',
  'write_summary',
]);

/** D9, D10: tools that change the manuscript. */
function writingTools(session: ToolSession): StructuredToolInterface[] {
  const { inputs, manuscripts } = session.ports;
  const { sources } = session;
  return [
    tool(
      async (span) => {
        const { after_line: after } = span;
        const around = after === undefined ? null : await placeWithin(manuscripts, session.manuscript, after);
        const { markdown, from, to, lines } = await placeSpan({ inputs, sources }, span, around);
        const version =
          after === undefined
            ? await manuscripts.append(session.manuscript, markdown)
            : await manuscripts.replaceLines(session.manuscript, after + 1, after, markdown);
        session.moveTo(version);
        // A file of which only a part is placed is traced, too: its lines are no inventions.
        session.filesRead.push(span.filename);
        session.seen.push({ what: `placed ${span.filename}`, first: from, last: to });
        if (to === lines) session.filesPlaced.push(span.filename);
        const what = lines === 0 ? '' : ` lines ${from}-${to} of ${lines} of`;
        return `Placed${what} "${span.filename}"; the manuscript has ${version.lines} lines.`;
      },
      {
        name: 'place_source',
        description:
          'Copy lines of an input file to the end of the manuscript, or behind after_line, byte for byte, without typing ' +
          'them: the whole file by default. Behind a line of a code block, the lines become lines of that block.',
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
          'Append markdown to the end of the manuscript. Later appends may continue and close a fence.',
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
        description: 'Replace one line of the manuscript, for instance to mend an issue.',
        schema: SCHEMAS.edit_markdown_line,
      },
    ),
  ];
}

/** Tools that change several lines in the middle of the manuscript. */
function editingTools(session: ToolSession): StructuredToolInterface[] {
  const { manuscripts } = session.ports;
  const moveTo = (version: ManuscriptVersion, what: string) => {
    session.moveTo(version);
    return `${what}; the manuscript has ${version.lines} lines.`;
  };
  return [
    tool(
      async ({ line_number, content }) => {
        const next = line_number + 1;
        const version = await manuscripts.replaceLines(session.manuscript, next, line_number, content);
        return moveTo(version, `Inserted after line ${line_number}`);
      },
      {
        name: 'insert_after_line',
        description: 'Insert markdown after a line of the manuscript, for instance a missing heading.',
        schema: SCHEMAS.insert_after_line,
      },
    ),
    tool(
      async ({ from_line, to_line, new_content }) => {
        if (from_line > to_line) throw new ToolError('from_line must not be after to_line');
        const version = await manuscripts.replaceLines(session.manuscript, from_line, to_line, new_content);
        return moveTo(version, `Lines ${from_line} to ${to_line} replaced`);
      },
      {
        name: 'replace_lines',
        description: 'Replace or remove several lines of the manuscript.',
        schema: SCHEMAS.replace_lines,
      },
    ),
    tool(
      async ({ from_line, to_line, after_line }) => {
        const version = await manuscripts.moveLines(session.manuscript, from_line, to_line, after_line);
        return moveTo(version, `Lines ${from_line} to ${to_line} moved behind line ${after_line}`);
      },
      {
        name: 'move_lines',
        description: 'Move lines of the manuscript, for instance into their order.',
        schema: SCHEMAS.move_lines,
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
        // A finished chapter's messages are dropped, and the errors would be lost with them.
        if (session.failedChanges > 0)
          throw new ToolError(
            'a call before this one failed: repair what it says, then create the checkpoint',
          );
        const effectKey = session.effectKey();
        const saved = { label, manuscript: session.manuscript, validated: false, effectKey };
        session.checkpointId = await saveCheckpoint(session.ports, saved);
        return session.checkpointId;
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
      session.addQuestion(question, refs ?? []);
      return 'The question is put to a person; the run goes on with the answer.';
    },
    {
      name: 'request_human_input',
      description:
        'Ask a person, for instance about a missing file: list the references in refs, exactly as the source writes them.',
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
    ...editingTools(session),
    ...ownWordsTools(session),
    ...checkpointTools(session),
    askingTool(session),
  ];
}
