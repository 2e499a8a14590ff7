import { checkDocx, type QualityIssue } from '#documents/docx/check.js';
import { writeDocx, type DocxOptions } from '#documents/docx/write.js';
import { buildStructure } from '#documents/structure/build.js';
import { structureSchema, type Structure } from '#documents/structure/schema.js';

export type ConversionWork =
  | { kind: 'structure'; markdown: string }
  | { kind: 'docx'; structure: unknown; assets: Map<string, Uint8Array>; options: DocxOptions }
  | { kind: 'check'; structure: unknown; docx: Uint8Array };

export interface ConversionResults {
  structure: Structure;
  docx: Uint8Array;
  check: QualityIssue[];
}

/** Runs in a thread: the three steps of a conversion (D24). */
export default async function convert(
  work: ConversionWork,
): Promise<ConversionResults[ConversionWork['kind']]> {
  switch (work.kind) {
    case 'structure':
      return buildStructure(work.markdown);
    case 'docx': {
      const structure = structureSchema.parse(work.structure);
      return writeDocx(structure, async (ref) => work.assets.get(ref) ?? null, work.options);
    }
    case 'check':
      return checkDocx(structureSchema.parse(work.structure), work.docx);
  }
}
