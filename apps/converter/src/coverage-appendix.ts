import { buildStructure } from '#office/structure/build.js';
import type { Block } from '#office/structure/schema.js';
import type { Ledger } from '#verbatim/ledger.js';
import { coverageText } from './coverage-text.js';

const cell = (text: string) => text.replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&').replace(/\s+/g, ' ');

/** The appendix "Sources and coverage": what became of every source, by the ledger (X1). */
export function coverageAppendix(ledger: Ledger): { title: string; blocks: Block[] } {
  const rows = ledger.files.map((file) =>
    [file.name, file.lines, file.carried, file.omitted, coverageText(file.coverage)].map(String).map(cell),
  );
  const omissions = ledger.files.flatMap((file) =>
    file.omissions.map(
      ({ first_line, last_line, reason, by }) =>
        `- ${cell(file.name)}, lines ${first_line}–${last_line}: ${cell(reason)} (by ${by})`,
    ),
  );
  const markdown = [
    `Of every source line, ${coverageText(ledger.coverage)} stands in this document or was left out for a reason given here.`,
    [
      '| Source | Lines | Carried | Left out | Coverage |',
      '| --- | ---: | ---: | ---: | ---: |',
      ...rows.map((row) => `| ${row.join(' | ')} |`),
    ].join('\n'),
    ...(omissions.length > 0 ? ['Left out:', omissions.slice(0, 500).join('\n')] : []),
  ].join('\n\n');
  return { title: 'Sources and coverage', blocks: buildStructure(`${markdown}\n`).blocks };
}
