import { labelsFor } from '#office/docx/write/labels.js';
import { imageName } from '#office/docx/write/missing-image.js';
import type { Block, Structure } from '#office/structure/schema.js';
import { MOST_COLUMNS, tableParts } from '#office/structure/wide-tables.js';
import type { MissingImage } from '#office/worker.js';

/** Names each image that is not in the document, with its line and why. @returns whether there is one */
export function reportLeftOut(structure: Structure, missing: readonly MissingImage[]): boolean {
  const { reasons } = labelsFor('en');
  for (const { ref, reason } of missing) {
    const line = structure.assets.find((asset) => asset.ref === ref)?.line ?? '?';
    const why = reason === 'not_found' ? 'no such file' : reasons[reason];
    process.stderr.write(`line ${line}: image left out: ${imageName(ref)}: ${why}\n`);
  }
  return missing.length > 0;
}

/** Tables in parts, since no page is wide enough for them. */
export function sayWideTables(structure: Structure): void {
  for (const table of tables(structure.blocks))
    if (table.align.length > MOST_COLUMNS)
      process.stderr.write(
        `line ${table.line}: warning: a table of ${table.align.length} columns stands in ${tableParts(table).length} parts below each other\n`,
      );
}

function tables(blocks: readonly Block[]): Extract<Block, { type: 'table' }>[] {
  return blocks.flatMap((block) => {
    if (block.type === 'table') return [block];
    if (block.type === 'list') return tables(block.items.flatMap((item) => item.blocks));
    return 'blocks' in block ? tables(block.blocks) : [];
  });
}
