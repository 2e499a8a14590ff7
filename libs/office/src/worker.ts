import type { MessagePort } from 'node:worker_threads';
import { writeEpub, type EpubOptions } from './epub/write.js';
import { typstPdf, type TypstOptions } from './pdf/typst.js';
import { buildStructure } from './structure/build.js';
import { structureSchema, type Structure } from './structure/schema.js';
import { checkDocx, type QualityIssue } from './docx/check/check.js';
import { writeDocx, type AssetResolver, type DocxOptions, type MissingReason } from './docx/write/write.js';

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
  /** Answers `AssetQuestion`s with `AssetAnswer`s. */
  assets: MessagePort;
}
/** A book as PDF, by typst, or as EPUB. */
export type PublishTask = { step: 'publish'; structure: unknown; assets: MessagePort } & (
  { format: 'pdf'; options: TypstOptions } | { format: 'epub'; options: EpubOptions }
);
export interface ConvertResult {
  /** Of markdown; null where it was given, so that nothing large is copied back. */
  structure: Structure | null;
  docx: Uint8Array;
  issues: QualityIssue[];
  /** Images that are left out, once each. */
  missing: MissingImage[];
}
export interface MissingImage {
  ref: string;
  reason: MissingReason;
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
      return checkDocx(structureSchema.parse(task.structure), task.docx);
    case 'convert':
      return convert(task);
    case 'publish':
      return publish(task);
  }
}

async function publish(task: PublishTask): Promise<Uint8Array> {
  const resolver = remoteAssets(task.assets);
  try {
    const structure = structureSchema.parse(task.structure);
    return task.format === 'pdf'
      ? await typstPdf(structure, resolver.resolve, task.options)
      : await writeEpub(structure, resolver.resolve, task.options);
  } finally {
    resolver.close();
  }
}

async function convert(task: ConvertTask): Promise<ConvertResult> {
  const resolver = remoteAssets(task.assets);
  try {
    const { source } = task;
    const structure =
      'markdown' in source ? buildStructure(source.markdown) : structureSchema.parse(source.structure);
    const missing: MissingImage[] = [];
    const docx = await writeDocx(structure, resolver.resolve, task.options, (ref, reason) =>
      missing.push({ ref, reason }),
    );
    const issues = task.check ? checkDocx(structure, docx) : [];
    return { structure: 'markdown' in source ? structure : null, docx, issues, missing };
  } finally {
    resolver.close();
  }
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
