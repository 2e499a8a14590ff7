import type { MessagePort } from 'node:worker_threads';
import type { QualityIssue } from './docx/check/check.js';
import { writeDocx, type AssetResolver, type DocxOptions, type MissingReason } from './docx/write/write.js';
import type { EpubOptions } from './epub/write.js';
import type { TypstOptions } from './pdf/typst.js';
import { linkSources, type SourceStart } from './structure/source-links.js';
import { buildStructure } from './structure/build.js';
import type { OpenProposal } from './review/pending.js';
import type { CitationRequest, WrittenCitations } from '#contracts/bibliography.js';
import { takeText } from '#contracts/moved-bytes.js';
import type { Structure } from '#contracts/structure.js';
import { wideTables, type WideTable } from './structure/wide-tables.js';

/**
 * Conversion step without assets: building a structure, checking a file against it (D24), writing citations in a style, or
 * open proposals into a Word file (X9).
 */
export type StepTask =
  | { step: 'structure'; markdown: Uint8Array; sources: SourceStart[] }
  | { step: 'check'; structure: Uint8Array; docx: Uint8Array }
  | { step: 'cite'; request: CitationRequest }
  | ({ step: 'track' } & TrackRequest);
/** A Word file, its manuscript, open proposals, and the texts that they were made for. */
export interface TrackRequest {
  docx: Uint8Array;
  manuscript: string;
  proposals: OpenProposal[];
  texts: Record<string, string>;
}

/** Conversion of Markdown or of an existing structure. */
export interface ConvertTask {
  step: 'convert';
  source: { markdown: string } | { structure: unknown };
  options?: DocxOptions;
  /** Whether to compare the file with its source afterwards (D24). */
  check?: boolean;
  /** Whether to return the structure built from Markdown. */
  withStructure?: boolean;
  /** Receives a `ParsedDocument` for Markdown input; answers `AssetQuestion`s with `AssetAnswer`s. */
  assets: MessagePort;
}
/** Writes a book as PDF, with Typst, or as EPUB. */
export type PublishTask = { step: 'publish'; structure: unknown; assets: MessagePort } & (
  { format: 'pdf'; options: TypstOptions } | { format: 'epub'; options: EpubOptions }
);
export interface ConvertResult {
  /** Null unless requested: copying a large structure takes long. */
  structure: Structure | null;
  docx: Uint8Array;
  issues: QualityIssue[];
  /** Omitted images, each once. */
  missing: MissingImage[];
}
export interface MissingImage {
  ref: string;
  /** Line of the first occurrence. */
  line: number;
  reason: MissingReason;
}
/** Document facts known before writing. */
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

/** Entry point of a worker thread; see `ConverterPool`. */
export default async function run(
  task: StepTask | ConvertTask | PublishTask,
): Promise<QualityIssue[] | WrittenCitations | ConvertResult | Uint8Array> {
  switch (task.step) {
    case 'cite':
      return (await import('./bibliography/write-citations.js')).writeCitations(task.request);
    case 'track': {
      const { docx, manuscript, proposals, texts } = task;
      const { trackChanges } = await import('./review/track.js');
      const { pendingIn } = await import('./review/pending.js');
      return trackChanges(docx, manuscript, pendingIn(manuscript, proposals, texts));
    }
    case 'structure':
      return Buffer.from(JSON.stringify(linkSources(buildStructure(takeText(task.markdown)), task.sources)));
    case 'check':
      return check(await checked(task.structure), task.docx);
    case 'convert':
      return convert(task);
    case 'publish':
      return publish(task);
  }
}

/** Byte arrays of a result that the thread does not copy. */
export const moved = (result: Awaited<ReturnType<typeof run>>): Uint8Array[] =>
  result instanceof Uint8Array ? [result] : 'docx' in result ? [result.docx] : [];

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

// Modules that only some tasks need are loaded on first use, because each thread loads its own copy.

/** @param structure also as JSON in UTF-8 */
async function checked(structure: unknown): Promise<Structure> {
  const { structureSchema } = await import('#contracts/structure.js');
  return structureSchema.parse(structure instanceof Uint8Array ? JSON.parse(takeText(structure)) : structure);
}

async function check(structure: Structure, docx: Uint8Array): Promise<QualityIssue[]> {
  const { checkDocx } = await import('./docx/check/check.js');
  return checkDocx(structure, docx);
}

/** Requests each asset from the thread that owns the files. */
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
