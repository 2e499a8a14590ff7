import { startsRun } from '../tools/graph/runs.js';
import { termsOf } from '../tools/retrieval/terms.js';
import { synonymsOf } from '../tools/retrieval/synonyms.js';
import type { ToolDescription } from '../tools/tool.js';

/** Tools that rules cannot use: they need a model, or arguments that no rule can find in a request. */
const NOT_BY_RULES = new Set([
  'call_model',
  'http_request',
  'map',
  'branch',
  'write_file',
  'draw_chart',
  'aggregate',
]);

/** Words that do not ask for anything. */
const FILLERS = new Set(
  termsOf(
    'into so up out me us now here there also just kindly need want like let please using use get give show tell take make',
  ),
);

/** Verbs that say too little about what to do: people check facts and formatting, and extract texts and dates. */
const VAGUE = new Set(termsOf('check extract'));

/** Words of tools that mean something else in a request for them: there are files, but no folders. */
const NOT_MEANT = new Set(termsOf('folder directory'));

/** Extensions of files that a tool for one format can read; other tools read any file. */
const FORMATS: Record<string, string> = {
  parse_csv: 'csv tsv txt',
  parse_json: 'json jsonl ndjson ipynb txt log',
  parse_yaml: 'yaml yml json txt',
  parse_xml: 'xml rss svg txt',
  lint_markdown: 'md markdown txt',
};

/** Returns whether a file can be of the format that a tool reads; true for tools that read any. */
export function canRead(tool: string, file: string): boolean {
  const formats = Object.hasOwn(FORMATS, tool) ? FORMATS[tool]!.split(' ') : null;
  return formats === null || formats.some((format) => file.toLowerCase().endsWith(`.${format}`));
}

/** Words of questions about how or by whom something is done: no request to do it. */
const ASKED_ABOUT = /\b(?:how|who|whom|should|was|were|been|has|had)\b/i;

/** Returns whether rules can plan a call of a tool. */
export const isForRules = (tool: string): boolean => !NOT_BY_RULES.has(tool) && !startsRun(tool);

/**
 * Returns whether a tool does all that a part of a request asks for: each of its words belongs to the tool or to
 * a known name. An unknown word may change the meaning ("read every second line").
 *
 * @param known terms of the names of files and of known values
 */
export function covers(tool: ToolDescription, part: string, known: ReadonlySet<string>): boolean {
  if (ASKED_ABOUT.test(part)) return false;
  // After its first clause, a description lists details and options, which rules do not choose.
  const purpose = tool.description.split(/[.,;:(]/, 1)[0]!;
  const required = (tool.input['required'] as string[] | undefined) ?? [];
  const own = new Set(termsOf([tool.name, purpose, synonymsOf(tool.name), ...required].join(' ')));
  const meant = (term: string) => own.has(term) && !NOT_MEANT.has(term);
  const terms = termsOf(part).filter((term) => !known.has(term));
  return (
    terms.every((term) => meant(term) || FILLERS.has(term)) &&
    terms.some((term) => meant(term) && !VAGUE.has(term))
  );
}

/** Returns the input files that a text names, in full or without extension. */
export function filesNamedIn(text: string, files: readonly string[]): string[] {
  const lower = ` ${text.toLowerCase()} `;
  const isNamed = (name: string) => {
    const at = lower.indexOf(name);
    // Part of a longer name: `a.md` in `data.md`.
    return (
      at > 0 && !/[\p{L}\p{N}_/-]/u.test(lower[at - 1]!) && !/[\p{L}\p{N}_-]/u.test(lower[at + name.length]!)
    );
  };
  return files.filter((file) => {
    const full = file.toLowerCase();
    const stem = full.replace(/\.[^./]{1,10}$/, '');
    return isNamed(full) || (stem.length > 3 && isNamed(stem));
  });
}
