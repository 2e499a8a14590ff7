import type { MessagePort } from 'node:worker_threads';
import type { QualityIssue } from './docx/check/check.js';
import { writeDocx, type AssetResolver, type DocxOptions, type MissingReason } from './docx/write/write.js';
import type { EpubOptions } from './epub/write.js';
import type { TypstOptions } from './pdf/typst.js';
import { buildStructure } from './structure/build.js';
import type { Structure } from './structure/schema.js';
import { wideTables, type WideTable } from './structure/wide-tables.js';

/** Building a structure, or checking a file against it (D24): steps that need no asset. */
export type StepTask =
  { step: 'structure'; markdown: string } | { step: 'check'; structure: unknown; docx: Uint8Array };

/** A conversion, from markdown or from a structure that was built before. */
export interface ConvertTask {
  step: 'convert';
  source: { markdown: string } | { structure: unknown };
  options?: DocxOptions;
  /** Compares the file with its source afterwards (D24). */
  check?: boolean;
  /** Gives the structure back that was built of markdown. */
  withStructure?: boolean;
  /** Is sent a `ParsedDocument` of markdown, and answers `AssetQuestion`s with `AssetAnswer`s. */
  assets: MessagePort;
}
/** A book as PDF, by typst, or as EPUB. */
export type PublishTask = { step: 'publish'; structure: unknown; assets: MessagePort } & (
  { format: 'pdf'; options: TypstOptions } | { format: 'epub'; options: EpubOptions }
);
export interface ConvertResult {
  /** Null where it was not asked for: a large one takes long to copy. */
  structure: Structure | null;
  docx: Uint8Array;
  issues: QualityIssue[];
  /** Images that are left out, once each. */
  missing: MissingImage[];
}
export interface MissingImage {
  ref: string;
  /** Where the document shows it first. */
  line: number;
  reason: MissingReason;
}
/** What is known of a document before it is written. */
export interface ParsedDocument {
  headings: number;
  images: number;
  wideTables: WideTable[];
}
export interface AssetQuestion {
  id: number;
  ref: string;
}
export interface AssetAnswer {
  id: number;
  bytes: Uint8Array | MissingReason | null;
}

/** Entry of a worker thread; see `ConverterPool`. */
export default async function run(
  task: StepTask | ConvertTask | PublishTask,
): Promise<Structure | QualityIssue[] | ConvertResult | Uint8Array> {
  switch (task.step) {
    case 'structure':
      return buildStructure(task.markdown);
    case 'check':
      return check(await checked(task.structure), task.docx);
    case 'convert':
      return convert(task);
    case 'publish':
      return publish(task);
  }
}

async function publish(task: PublishTask): Promise<Uint8Array> {
  const resolver = remoteAssets(task.assets);
  try {
    const structure = await checked(task.structure);
    if (task.format === 'pdf') {
      const { typstPdf } = await import('./pdf/typst.js');
      return await typstPdf(structure, resolver.resolve, task.options);
    }
    const { writeEpub } = await import('./epub/write.js');
    return await writeEpub(structure, resolver.resolve, task.options);
  } finally {
    resolver.close();
  }
}

async function convert(task: ConvertTask): Promise<ConvertResult> {
  const resolver = remoteAssets(task.assets);
  try {
    const { source } = task;
    const structure =
      'markdown' in source ? buildStructure(source.markdown) : await checked(source.structure);
    if ('markdown' in source) task.assets.postMessage({ parsed: parsedDocument(structure) });
    const missing: MissingImage[] = [];
    const docx = await writeDocx(structure, resolver.resolve, task.options, (ref, reason) =>
      missing.push({ ref, reason, line: structure.assets.find((asset) => asset.ref === ref)?.line ?? 1 }),
    );
    const issues = task.check ? await check(structure, docx) : [];
    return { structure: task.withStructure ? structure : null, docx, issues, missing };
  } finally {
    resolver.close();
  }
}

function parsedDocument(structure: Structure): ParsedDocument {
  const { headings, assets } = structure;
  return { headings: headings.length, images: assets.length, wideTables: wideTables(structure) };
}

// What only some tasks need is loaded with the first of them: each thread of each process loads it anew.

async function checked(structure: unknown): Promise<Structure> {
  const { structureSchema } = await import('./structure/structure-schema.js');
  return structureSchema.parse(structure);
}

async function check(structure: Structure, docx: Uint8Array): Promise<QualityIssue[]> {
  const { checkDocx } = await import('./docx/check/check.js');
  return checkDocx(structure, docx);
}

/** Asks the thread that owns the files for each asset. */
function remoteAssets(port: MessagePort): { resolve: AssetResolver; close(): void } {
  const waiting = new Map<number, (bytes: AssetAnswer['bytes']) => void>();
  let last = 0;
  port.on('message', ({ id, bytes }: AssetAnswer) => {
    waiting.get(id)?.(bytes);
    waiting.delete(id);
  });
  return {
    resolve: (ref) =>
      new Promise((done) => {
        const question: AssetQuestion = { id: ++last, ref };
        waiting.set(question.id, done);
        port.postMessage(question);
      }),
    close: () => port.close(),
  };
}
