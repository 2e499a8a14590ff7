import { labelsFor } from '#office/docx/write/labels.js';
import { imageName } from '#office/docx/write/missing-image.js';
import type { WideTable } from '#office/structure/wide-tables.js';
import type { MissingImage } from '#office/worker.js';
import { frontMatterLines } from '#markdown/front-matter.js';
import { splitLines } from '#markdown/scan/scan.js';

/** Prints each image that is missing in the document, with line and reason. @returns whether there are any */
export function reportLeftOut(missing: readonly MissingImage[]): boolean {
  const { reasons } = labelsFor('en');
  for (const { ref, reason, line } of missing) {
    const why = reason === 'not_found' ? 'no such file' : reasons[reason];
    process.stderr.write(`line ${line}: image omitted: ${imageName(ref)}: ${why}\n`);
  }
  return missing.length > 0;
}

/** Warns of tables that were split because no page is wide enough. */
export function warnAboutWideTables(tables: readonly WideTable[]): void {
  for (const { line, columns, parts } of tables)
    process.stderr.write(`line ${line}: warning: table with ${columns} columns split into ${parts} parts\n`);
}

/** Reports front matter, which becomes the document's properties and is not shown. */
export function reportFrontMatter(markdown: string): void {
  const count = frontMatterLines(splitLines(markdown));
  if (count > 0)
    process.stderr.write(`front matter (lines 1-${count}) is stored as document properties and not shown\n`);
}
