import type { ValidationIssue } from '#contracts/manuscript.js';
import { TAIL, TITLE, type WorkOrder } from '#document/prompts/work-order.js';

const unquote = (text: string): string => JSON.parse(text) as string;

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
  const count = /^(\d+) \((all|the next)/.exec(fields.get('input files') ?? '');
  return {
    session_id: fields.get('session') ?? '',
    title: parseTitle(fields.get('title') ?? ''),
    has_summary: fields.get('summary') === 'allowed',
    chapter: Number(fields.get('chapter')),
    current_file: nullable('current file'),
    file_count: Number(count?.[1]),
    files_complete: count?.[2] === 'all',
    assets: entries('Images').map((line) => unquote(line.slice(2))),
    asset_count: Number(fields.get('assets')),
    files: entries('Files').map((line) => ({ written: line[3] === 'x', ...parseListed(line.slice(6)) })),
    folders: entries('Folders').map((line) => parseListed(line.slice(2))),
    open_references: entries('Missing references').map((line) => unquote(line.slice(2))),
    decisions: Object.fromEntries(entries('Answers').map(parseDecision)),
    validation: validation?.[1] as WorkOrder['validation'],
    fix_attempts: Number(validation?.[2]),
    issues: entries('Validation issues').flatMap((line): ValidationIssue[] => parseIssue(line)),
    more_issues: Number(/^(\d+)/.exec(entries('More issues')[0] ?? '')?.[1] ?? 0),
    error: entries('Error').map(parseError)[0] ?? null,
    idle_calls: Number(/last (\d+) calls/.exec(entries('No progress')[0] ?? '')?.[1] ?? 0),
    conversion_attempts: Number(fields.get('conversion attempts')),
    last_checkpoint: nullable('last checkpoint'),
    outline: entries('Outline').map(parseOutline),
    earlier_headings: Number(/^\d+/.exec(entries('Earlier headings')[0] ?? '')?.[0] ?? 0),
    tail: text.slice(tailAt + TAIL.length + 2),
  };
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

function parseTitle(text: string): WorkOrder['title'] {
  const [, title, by] = new RegExp(`^(${STRING}) \\((given|yours)`).exec(text) ?? [];
  return title === undefined ? null : { text: unquote(title), given: by === 'given' };
}

/** Reads a quoted name and the text behind it. */
function parseListed(text: string): { name: string; about: string } {
  const [, name = '""', about = ''] = new RegExp(`^(${STRING}) (.*)$`).exec(text) ?? [];
  return { name: unquote(name), about };
}

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

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const TEXT = `(?:${STRING}|null)`;
const ISSUE = new RegExp(
  `^- lines ([-\\d,]+) \\| (.*?) \\| (${TEXT}) \\| (${TEXT}) \\| (${TEXT})(?: \\| (${TEXT}) lines ([-\\d,]+))?(?: \\| call .*)?$`,
);

/** Parses one rendered line into its issues; empty for any other line. */
function parseIssue(line: string): ValidationIssue[] {
  const match = ISSUE.exec(line);
  if (match === null) return [];
  const [
    ,
    lines = '',
    rule = '',
    description = '""',
    message = '""',
    detail = 'null',
    file,
    sourceLines = '',
  ] = match;
  const read = (json: string) => JSON.parse(json) as string | null;
  const sources = spans(sourceLines);
  return spans(lines).map(([line_number, last], index) => {
    const [source = 0, lastSource] = sources[index] ?? [];
    return {
      line_number,
      ...(last === undefined ? {} : { last_line_number: last }),
      rule,
      rule_description: read(description) ?? '',
      message: read(message) ?? '',
      error_detail: read(detail),
      ...(file === undefined ? {} : { source_file: read(file) ?? '' }),
      ...(file === undefined || source === 0 ? {} : { source_line: source }),
      ...(lastSource === undefined ? {} : { last_source_line: lastSource }),
    };
  });
}

/** Reads `3-5,9`: the first and the last line of each place; the last is undefined if it is the first. */
function spans(text: string): [first: number, last: number | undefined][] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [first = 0, last] = part.split('-').map(Number);
      return [first, last];
    });
}
