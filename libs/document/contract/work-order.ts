import { z } from 'zod';
import { outlineEntrySchema, validationIssueSchema, type ValidationIssue } from '#contracts/manuscript.js';
import { userDecisionsSchema } from '#contracts/references.js';
import { groupIssues, renderIssue, parseIssue } from './work-order-issues.js';

/**
 * The work order (D16, D17): the input of the agent in each step, as one text that a model reads and the
 * offline writer parses. Names and texts are JSON strings, one entry per line, so that no file name can break
 * the format. The end of the manuscript comes last and is the only free text.
 */
const workOrderSchema = z.object({
  session_id: z.string(),
  /** The chapter being written, counted from 1. */
  chapter: z.number().int(),
  /** Number of all text inputs. */
  file_count: z.number().int(),
  /** The file to process next; null if none is open. */
  current_file: z.string().nullable(),
  /**
   * All text inputs in processing order, or only the open ones if there are many (`files_complete` false).
   */
  files: z.array(z.object({ name: z.string(), written: z.boolean() })),
  files_complete: z.boolean(),
  /** Inputs that are not text, such as images, and their total number. */
  assets: z.array(z.string()),
  asset_count: z.number().int(),
  open_references: z.array(z.string()),
  decisions: userDecisionsSchema,
  validation: z.enum(['none', 'passed', 'failed']),
  fix_attempts: z.number().int(),
  issues: z.array(validationIssueSchema),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
  conversion_attempts: z.number().int(),
  last_checkpoint: z.string().nullable(),
  outline: z.array(outlineEntrySchema),
  /** The last lines of the manuscript, long lines cut. */
  tail: z.string(),
});
export type WorkOrder = z.infer<typeof workOrderSchema>;

const TITLE = 'WORK ORDER';
const TAIL = '## End of the manuscript (verbatim, up to the end of this message)';
const quote = (text: string): string => JSON.stringify(text);

const section = (heading: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : ['', `## ${heading}`, ...lines];

/** Renders a work order, which `parseWorkOrder` reads; texts of issues may be cut and grouped. */
export function renderWorkOrder(order: WorkOrder): string {
  const open = order.files.filter((file) => !file.written).length;
  const files = order.files.map((file) => `- [${file.written ? 'x' : ' '}] ${quote(file.name)}`);
  const error = order.error === null ? [] : [`- ${order.error.type}: ${quote(order.error.message)}`];
  return [
    TITLE,
    `session: ${order.session_id}`,
    `chapter: ${order.chapter}`,
    `current file: ${order.current_file === null ? 'none' : quote(order.current_file)}`,
    `input files: ${order.file_count} (${order.files_complete ? 'all' : 'only open ones'} listed, ${open} open)`,
    `validation: ${order.validation} (fix attempts ${order.fix_attempts})`,
    `conversion attempts: ${order.conversion_attempts}`,
    `last checkpoint: ${order.last_checkpoint === null ? 'none' : quote(order.last_checkpoint)}`,
    `assets: ${order.asset_count}`,
    ...section('Files ([x] written, [ ] open)', files),
    ...section(
      'Images and other assets (not to be read)',
      order.assets.map((name) => `- ${quote(name)}`),
    ),
    ...section(
      'Missing references without an answer',
      order.open_references.map((ref) => `- ${quote(ref)}`),
    ),
    ...section(
      'Answers about missing references',
      Object.entries(order.decisions).map(([ref, answer]) => `- ${quote(ref)}: ${quote(answer)}`),
    ),
    ...section('Error to recover from', error),
    ...section('Validation issues to mend', groupIssues(order.issues).map(renderIssue)),
    ...section(
      'Outline (level, manuscript line, heading)',
      order.outline.map((entry) => `- ${entry.level} ${entry.line} ${quote(entry.title)}`),
    ),
    ...section('Task', [taskOf(order)]),
    '',
    TAIL,
    order.tail,
  ].join('\n');
}

/** Returns the agent's next task, in one line. */
function taskOf({ validation, issues, error, current_file, file_count, asset_count }: WorkOrder): string {
  if (validation === 'failed' || issues.length > 0)
    return 'Repair the issues above, then call create_checkpoint.';
  if (error !== null)
    return 'Change what caused the error above, if the manuscript can, then call create_checkpoint.';
  if (current_file === null && file_count === 0) return 'Place the images, then call create_checkpoint.';
  if (current_file === null) {
    const images = asset_count === 0 ? '' : 'place images that no text shows, or ';
    return `Every file is in the manuscript: ${images}end with one short sentence and no tool call.`;
  }
  return `Place ${quote(current_file)}, then the other open files, and call create_checkpoint after each chapter.`;
}

const unquote = (text: string): string => z.string().parse(JSON.parse(text));

/** Reads a rendered work order; null for any other text. */
export function parseWorkOrder(text: string): WorkOrder | null {
  if (!text.startsWith(`${TITLE}\n`)) return null;
  const tailAt = text.indexOf(`\n${TAIL}\n`);
  if (tailAt < 0) return null;
  const [head = [], ...sections] = splitSections(text.slice(0, tailAt));
  const fields = new Map(
    head.flatMap((line) =>
      line.includes(': ')
        ? [[line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const]
        : [],
    ),
  );
  const entries = (heading: string): string[] =>
    sections.find((lines) => lines[0]?.startsWith(`## ${heading}`))?.slice(1) ?? [];
  const nullable = (name: string): string | null =>
    fields.get(name)?.startsWith('"') ? unquote(fields.get(name) ?? '""') : null;
  const validation = /^(\w+) \(fix attempts (\d+)\)$/.exec(fields.get('validation') ?? '');
  const count = /^(\d+) \((all|only)/.exec(fields.get('input files') ?? '');
  return workOrderSchema.parse({
    session_id: fields.get('session'),
    chapter: Number(fields.get('chapter')),
    current_file: nullable('current file'),
    file_count: Number(count?.[1]),
    files_complete: count?.[2] === 'all',
    assets: entries('Images').map((line) => unquote(line.slice(2))),
    asset_count: Number(fields.get('assets')),
    files: entries('Files').map((line) => ({ written: line[3] === 'x', name: unquote(line.slice(6)) })),
    open_references: entries('Missing references').map((line) => unquote(line.slice(2))),
    decisions: Object.fromEntries(entries('Answers').map(parseDecision)),
    validation: validation?.[1],
    fix_attempts: Number(validation?.[2]),
    issues: entries('Validation issues').flatMap((line): ValidationIssue[] => parseIssue(line)),
    error: entries('Error').map(parseError)[0] ?? null,
    conversion_attempts: Number(fields.get('conversion attempts')),
    last_checkpoint: nullable('last checkpoint'),
    outline: entries('Outline').map(parseOutline),
    tail: text.slice(tailAt + TAIL.length + 2),
  });
}

/** Returns the non-blank lines of each section; the first section is the head. */
function splitSections(text: string): string[][] {
  const sections: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) sections.push([line]);
    else if (line !== '') sections.at(-1)?.push(line);
  }
  return sections;
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"';

function parseDecision(line: string): [string, string] {
  const match = new RegExp(`^- (${STRING}): (${STRING})$`).exec(line);
  return [unquote(match?.[1] ?? '""'), unquote(match?.[2] ?? '""')];
}

function parseError(line: string): { type: string; message: string } {
  const at = line.indexOf(': ');
  return { type: line.slice(2, at), message: unquote(line.slice(at + 2)) };
}

function parseOutline(line: string): { level: number; line: number; title: string } {
  const match = /^- (\d+) (\d+) (.*)$/.exec(line);
  return { level: Number(match?.[1]), line: Number(match?.[2]), title: unquote(match?.[3] ?? '""') };
}
