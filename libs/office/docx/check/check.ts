import type { Structure } from '#contracts/structure.js';
import { expectedContent, type Expected } from './expected.js';
import { foundContent, type Found } from './found.js';
import { readDocx } from '../read/read.js';

/** Difference between a document and its file. `source_line` is the Markdown line; null if unknown. */
export interface QualityIssue {
  rule: string;
  message: string;
  source_line: number | null;
}

/** Maximum number of reported issues; further ones add nothing new. */
const LIMIT = 100;

/**
 * Reads a file back and compares it with its structure (D24 `quality_check`): headings, code, lists, tables,
 * paragraphs, images, links and notes, each in order.
 *
 * @returns at most 100 differences; empty if the file contains everything unchanged
 */
export function checkDocx(structure: Structure, bytes: Uint8Array): QualityIssue[] {
  let found: Found;
  try {
    found = foundContent(readDocx(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ rule: 'readable', message: `The file cannot be opened: ${reason}`, source_line: null }];
  }
  const expected = expectedContent(structure);
  const issues: QualityIssue[] = [];
  for (const rule of Object.keys(expected) as (keyof Expected)[]) {
    issues.push(...compare(rule, expected[rule], found[rule]));
    if (issues.length >= LIMIT) break;
  }
  return issues.slice(0, LIMIT);
}

function compare(
  rule: string,
  expected: Expected[keyof Expected],
  found: readonly (string | null)[],
): QualityIssue[] {
  const issues: QualityIssue[] = [];
  const count = Math.max(expected.length, found.length);
  for (let i = 0; i < count; i++) {
    const expectedElement = expected[i];
    const got = found[i];
    if (got === null || expectedElement?.text === got) continue;
    const message =
      expectedElement === undefined
        ? `not in the source: ${quote(got ?? '')}`
        : got === undefined
          ? `missing: ${quote(expectedElement.text)}`
          : `expected ${quote(expectedElement.text, got)}, found ${quote(got, expectedElement.text)}`;
    issues.push({ rule, message, source_line: expectedElement?.line ?? expected.at(-1)?.line ?? null });
    // After a missing or extra entry, all later ones differ.
    if (expected.length !== found.length) break;
  }
  return issues;
}

/** Quotes a text around the first difference from `other`. */
function quote(text: string, other = ''): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  const from = Math.max(0, at - 20);
  const part = text.slice(from, from + 80);
  return JSON.stringify((from > 0 ? '…' : '') + part + (from + 80 < text.length ? '…' : ''));
}
