import { singleSpaced } from '#contracts/text.js';
import { type Detail, messageOf } from '#contracts/phrases/detail.js';
import { isPhraseCode, phrase } from '#contracts/phrases/phrase.js';
import { syntheticIssue, type ValidationIssue } from '#contracts/manuscript.js';
import type { Configuration, LintError, Rule } from 'markdownlint';
import {
  isMeantAsTable,
  scanMarkdown,
  type ScannedDocument,
  type ScannedLine,
  splitLines,
  tableCells,
} from '../scan/scan.js';
import { rowsAtOnce } from '../parse-cost.js';
import { findReferences } from '../references/find.js';
import { referenceResolver } from '../references/resolve.js';

interface LintContext {
  /** References that resolve to an asset or that a person skipped; any other image is an issue (D26). */
  knownReferences: string[];
  /** What `fixMarkdown` has found in the text, so that the built-in rules need not run again; null if it is not known. */
  found?: LintError[] | null;
}

const NAME = 'manuscript';

/**
 * Lints a manuscript (D26, D27) with the built-in rules of `config.ts` and the structural rules of
 * `structuralRules`. Issues are ordered by line. Never throws: an empty manuscript or a crash is reported as one
 * synthetic issue (D28). Comments in the text cannot disable rules.
 */
export async function lintMarkdown(markdown: string, context: LintContext): Promise<ValidationIssue[]> {
  try {
    // markdownlint treats a lone carriage return as a line end, which would shift all later line numbers.
    const lines = splitLines(markdown).map((line) => line.replaceAll('\r', ' '));
    if (lines.every((line) => line.trim() === '')) return [syntheticIssue(phrase('validation.empty'))];
    const found = context.found ?? (await builtInErrors(lines));
    const issues = (await structuralIssues(lines, context)).concat(found.map(toIssue));
    return issues.sort((a, b) => a.line_number - b.line_number || a.rule.localeCompare(b.rule));
  } catch (error) {
    return [
      syntheticIssue(phrase('validation.crashed'), error instanceof Error ? error.message : String(error)),
    ];
  }
}

/**
 * Applies markdownlint's fixes for blank lines around headings, fences and tables and for indented headings.
 * Never changes words or lines inside fences. On a failure, returns the text unchanged.
 *
 * @returns the text, the number of applied fixes, and, if nothing was fixed, what the built-in rules found in it
 */
export async function fixMarkdown(
  markdown: string,
): Promise<{ markdown: string; fixed: number; found: LintError[] | null }> {
  const unchanged = { markdown, fixed: 0, found: null };
  try {
    const lines = splitLines(markdown);
    const found = await builtInErrors(lines);
    const { lines: scanned } = scanMarkdown(lines);
    const safe = found.filter((error) => {
      const target = error.fixInfo?.lineNumber ?? error.lineNumber;
      return error.fixInfo && scanned[target - 1]?.kind !== 'code';
    });
    // A carriage return is a line end here, but not for `lintMarkdown`.
    if (safe.length === 0) return { ...unchanged, found: markdown.includes('\r') ? null : found };
    const { applyFixes } = await import('markdownlint');
    const fixed = applyFixes(markdown, safe);
    return sameWords(markdown, fixed) ? { markdown: fixed, fixed: safe.length, found: null } : unchanged;
  } catch {
    return unchanged;
  }
}

/** Returns whether a fix changed only white space outside code. */
function sameWords(before: string, after: string): boolean {
  const digest = (text: string) =>
    scanMarkdown(splitLines(text))
      .lines.map((line) =>
        line.kind === 'code' ? `c${line.text}` : `${line.kind[0]}${line.marker}${singleSpaced(line.text)}`,
      )
      .filter((line) => line !== 'b')
      .join('\n');
  return digest(before) === digest(after);
}

async function structuralIssues(lines: string[], context: LintContext): Promise<ValidationIssue[]> {
  const customRules = structuralRules(context.knownReferences);
  const config: Configuration = { default: false };
  for (const rule of customRules) config[rule.names[0] as string] = true;
  return (await run(lines.join('\n'), config, customRules)).map(toIssue);
}

/** Runs the built-in rules piece by piece and maps their errors to line numbers of the manuscript. */
async function builtInErrors(lines: string[]): Promise<LintError[]> {
  const errors: LintError[] = [];
  for (const piece of lintPieces(lines)) {
    const at = (line: number) => piece.lineNumbers[line - 1] ?? piece.lineNumbers.at(-1) ?? 1;
    for (const error of await run(piece.text, LINT_CONFIG)) {
      if (error.lineNumber <= piece.repeated) continue;
      const fixInfo = error.fixInfo?.lineNumber
        ? { ...error.fixInfo, lineNumber: at(error.fixInfo.lineNumber) }
        : error.fixInfo;
      errors.push({ ...error, lineNumber: at(error.lineNumber), fixInfo });
    }
  }
  return errors;
}

async function run(text: string, config: Configuration, customRules: Rule[] = []): Promise<LintError[]> {
  // Loaded by the first text: only validations and one tool of plans need it.
  const { lint } = await import('markdownlint/promise');
  const results = await lint({
    strings: { [NAME]: text },
    config,
    customRules,
    frontMatter: null,
    noInlineConfig: true,
  });
  return results[NAME] ?? [];
}

function toIssue(error: LintError): ValidationIssue {
  const detail = error.errorDetail || null;
  const [rule = 'markdownlint'] = error.ruleNames;
  return {
    line_number: error.lineNumber,
    rule,
    rule_description: error.ruleDescription,
    ...messageOf(describe(rule, error.ruleDescription, detail)),
    error_detail: detail,
  };
}

/** Returns the description of a broken rule with its detail; a phrase if the rule is one of this release. */
function describe(rule: string, description: string, detail: string | null): Detail {
  const code = `lint_rule.${rule}`;
  const what = isPhraseCode(code) ? { code, params: {} } : description;
  return detail === null ? what : phrase('issue.with_detail', { rule: what, detail });
}

/**
 * The markdownlint configuration for manuscripts (D26), whose fixes only insert or remove blank lines or indentation. Style rules are off, because a manuscript carries its
 * sources verbatim and neither the agent nor a fixer may change them: a bare URL, a list style, a tab or a
 * second `#` is legal. The rules that remain affect how the document is parsed. Heading levels, fences,
 * tables and images have custom rules (`structuralRules`).
 */
const LINT_CONFIG: Configuration = {
  default: false,
  // A heading indented by a blank renders the same; the fixer removes the indentation.
  MD023: true,
  // Blank lines around headings and fences: some parsers need them, and they add no words.
  MD022: true,
  MD031: true,
  // A table row with more or fewer cells than its header.
  MD056: true,
  // Without a blank line, the line below a table would be parsed as its last row.
  MD058: true,
};

/**
 * Part of a manuscript for the slow parser: its text without code content, and the 1-based manuscript line of
 * each line.
 */
interface LintPiece {
  text: string;
  lineNumbers: number[];
  /** Number of leading lines repeated from an earlier piece: the head of a continued table. */
  repeated: number;
}

const PIECE_LINES = 2000;
/** Pieces below this number of lines continue with the next chapter: each piece has a fixed cost, as in documents of many short files. */
const MIN_PIECE_LINES = 100;

/**
 * Splits a manuscript into pieces and reduces the content of each fence to one line. micromark's time grows
 * faster than its input (10 MB in one piece take a minute), and none of the enabled built-in rules inspects
 * code. Pieces begin at a chapter heading, unless the chapters are short; in long chapters also at a heading, or after a blank line outside
 * lists, quotes and tables. A long table is split between rows, and each part gets the two lines of its head,
 * since parsing time grows fastest for tables.
 */
function lintPieces(lines: string[]): LintPiece[] {
  const { lines: scanned } = scanMarkdown(lines);
  const pieces: LintPiece[] = [];
  let text: string[] = [];
  let lineNumbers: number[] = [];
  let repeated = 0;
  const flush = () => {
    if (text.length === 0) return;
    pieces.push({ text: `${text.join('\n')}\n`, lineNumbers, repeated });
    text = [];
    lineNumbers = [];
    repeated = 0;
  };
  const repeatHead = (delimiter: number) => {
    text = lines.slice(delimiter - 1, delimiter + 1);
    lineNumbers = [delimiter, delimiter + 1];
    repeated = 2;
  };
  let inCode = false;
  let delimiter = -1;
  let rowsOfPart = 1;
  scanned.forEach((line, index) => {
    const outside = line.quotes === 0 && line.lists === 0;
    const heading = outside && line.kind === 'heading';
    const chapter =
      text.length >= MIN_PIECE_LINES && heading && line.level === 1 && scanned[index - 1]?.kind === 'blank';
    const long =
      text.length >= PIECE_LINES &&
      (heading || (outside && line.kind === 'prose')) &&
      scanned[index - 1]?.kind === 'blank';
    if (line.kind !== 'table') delimiter = line.kind === 'delimiter' ? index : -1;
    if (delimiter === index) rowsOfPart = rowsAtOnce(lines[index]!);
    const endsPart = outside && delimiter > 0 && index > delimiter && (index - delimiter) % rowsOfPart === 0;
    if (chapter || long || endsPart) flush();
    if (endsPart) repeatHead(delimiter);
    const repeated = line.kind === 'code' && inCode;
    inCode = line.kind === 'code';
    if (repeated) return;
    text.push(
      line.kind === 'code' && line.text.trim() !== ''
        ? (lines[index] as string).slice(0, 200)
        : (lines[index] as string),
    );
    lineNumbers.push(index + 1);
  });
  flush();
  return pieces;
}

const INFORMATION = new URL('https://github.com/DavidAnson/markdownlint');

/**
 * Custom rules for what markdownlint does not check (D26). They only read lines, so a manuscript of megabytes
 * takes one pass.
 */
function structuralRules(knownReferences: string[]): Rule[] {
  let scanned: { lines: readonly string[]; document: ScannedDocument } | null = null;
  const scan = (lines: readonly string[]) => {
    if (scanned?.lines !== lines) scanned = { lines, document: scanMarkdown([...lines]) };
    return scanned.document;
  };
  return [unclosedFence(scan), headingLevels(scan), raggedTable(scan), unresolvedImage(knownReferences)];
}

type Scan = (lines: readonly string[]) => ScannedDocument;

function rule(name: string, description: string, run: Rule['function']): Rule {
  return {
    names: [name],
    description,
    information: INFORMATION,
    tags: ['scriptorium'],
    parser: 'none',
    function: run,
  };
}

function unclosedFence(scan: Scan): Rule {
  return rule('SCR-fence', 'A code fence must be closed', (params, onError) => {
    for (const fence of scan(params.lines).fences) {
      if (fence.closedBy === 'fence') continue;
      const where =
        fence.closedBy === 'eof'
          ? 'the end of the document'
          : `line ${fence.lastLine}, where its list item or quote ends`;
      onError({
        lineNumber: fence.line,
        detail: `The fence ${fence.marker}${fence.info} opened here is still open at ${where}. Close it with ${fence.marker} on a separate line.`,
      });
    }
  });
}

function headingLevels(scan: Scan): Rule {
  return rule(
    'SCR-heading-level',
    'The document begins with # and skips no heading level',
    (params, onError) => {
      let last = 0;
      let begun = false;
      scan(params.lines).lines.forEach((line, index) => {
        const isHeading = line.kind === 'heading' || line.kind === 'underline';
        if (!begun && line.kind !== 'blank' && line.kind !== 'setext') {
          begun = true;
          if (!isHeading || line.level !== 1) {
            onError({ lineNumber: index + 1, detail: 'The first line must be a chapter heading (# Title).' });
            if (isHeading) last = line.level;
            return;
          }
        }
        if (!isHeading) return;
        if (line.level > last + 1) onError({ lineNumber: index + 1, detail: skipped(last, line.level) });
        last = line.level;
      });
    },
  );
}

function skipped(last: number, level: number): string {
  const expected = '#'.repeat(last + 1);
  return `Heading level ${level} follows level ${last}; use ${expected} here or add the level between.`;
}

/** markdownlint checks table rows (MD056), but does not see a table if header and delimiter row differ. */
function raggedTable(scan: Scan): Rule {
  return rule(
    'SCR-table',
    'The header of a table has as many cells as its delimiter row',
    (params, onError) => {
      const { lines } = scan(params.lines);
      for (let i = 1; i < lines.length; i++) {
        const line = lines[i] as ScannedLine;
        const header = lines[i - 1] as ScannedLine;
        if (!isMeantAsTable(header, line)) continue;
        const cells = tableCells(header.text) ?? [];
        const columns = (tableCells(line.text) ?? []).length;
        onError({
          lineNumber: i,
          detail: `The header has ${cells.length} cells, the delimiter row below it ${columns}: this is not read as a table.`,
        });
      }
    },
  );
}

function unresolvedImage(known: string[]): Rule {
  return rule(
    'SCR-image',
    'Every image resolves to an asset or was skipped by a person',
    (params, onError) => {
      const knownSet = new Set(known);
      const resolve = referenceResolver(known);
      for (const reference of findReferences(params.lines.join('\n'), 'manuscript.md')) {
        if (reference.kind !== 'image' || knownSet.has(reference.ref)) continue;
        const { match, hint } = resolve(reference.ref);
        const near = match ?? hint;
        const help = near === null ? 'Ask for the file with request_human_input.' : `Did you mean ${near}?`;
        onError({
          lineNumber: reference.line,
          detail: `The image ${reference.ref} resolves to no asset. ${help}`,
          context: reference.ref.slice(0, 80),
        });
      }
    },
  );
}
