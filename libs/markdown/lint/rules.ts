import type { Rule } from 'markdownlint';
import { findReferences } from '../references/find.js';
import { referenceResolver } from '../references/resolve.js';
import {
  isMeantAsTable,
  type ScannedDocument,
  type ScannedLine,
  scanMarkdown,
  tableCells,
} from '../scan/scan.js';

const INFORMATION = new URL('https://github.com/DavidAnson/markdownlint');

/**
 * Custom rules for what markdownlint does not check (D26). They only read lines, so a manuscript of megabytes
 * takes one pass.
 */
export function structuralRules(knownReferences: string[]): Rule[] {
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
