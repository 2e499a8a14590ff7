import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import { RememberedDecisionRepository } from '#db/repositories/decisions.js';
import { RunRepository } from '#db/repositories/runs.js';
import { readable, type SessionFile, SessionFileRepository } from '#db/repositories/session-files.js';
import { isSourceName } from '#contracts/file-kinds.js';
import {
  type TaskContext,
  TaskFailure,
  TaskHandler,
  type TaskHandlerOf,
} from '#engine/queue/task-handler.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { readSessionFile } from '#storage/kept-objects.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { documentKind } from '../contract.js';
import type { FileSizes, ReferenceFinding, Unreadable } from '../contract/tasks.js';
import { readClues, readingOrder, type PlaceClues } from './reading-order.js';
import { TextExtractor, ReferenceFinder } from './text-extractor.js';

/** Maximum number of references stored with the task; missing ones come first. */
const MAX_REFERENCES = 1_000;

const failureOf = ({ reason: message, phrase: known }: Unreadable) =>
  new TaskFailure(
    'extraction_failed',
    phrase('run_error.extraction_failed', { reason: detailOf({ message, phrase: known }) }),
  );

/** D4: finds references in the inputs, copies existing assets and lists missing ones. */
@Injectable()
@TaskHandler('scan_assets')
export class ScanAssetsHandler implements TaskHandlerOf<'scan_assets'> {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly extractor: TextExtractor,
    private readonly finder: ReferenceFinder,
    private readonly files: SessionFileRepository,
    private readonly remembered: RememberedDecisionRepository,
    private readonly runs: RunRepository,
  ) {}

  /** @throws TaskFailure `extraction_failed`, naming the first file, if no source can be read */
  async handle(input: TaskInput<'scan_assets'>, context: TaskContext): Promise<TaskOutput<'scan_assets'>> {
    const { tenantId, sessionId, signal } = context;
    const before = await this.files.listAll(tenantId, sessionId);
    const originals = before.inputs;
    const { encodings = {}, left_out: leftOut = [] } = input;
    const { ask_again = [], only_changed = false } = await this.inputsOf(context);
    const { undecoded, unreadable } = await this.extractor.extractAll(
      context,
      before,
      encodings,
      leftOut,
      only_changed,
    );
    const none = { missing_references: [], references: [], user_decisions: {} };
    if (undecoded.length > 0) return { ...none, undecoded };
    const [first] = unreadable;
    // If all sources are unreadable, fail instead of asking: nothing can be written.
    const sources = originals.filter(({ name }) => isSourceName(name)).length;
    if (first && unreadable.length + leftOut.length >= sources) throw failureOf(first);
    if (first) return { ...none, unreadable };
    const extracted = await this.files.listAll(tenantId, sessionId);
    const inputs = readable(extracted);
    const available = [...inputs, ...extracted.assets].map(({ name }) => name);
    // Answers are remembered by the hash of the upload, not of the extracted text.
    const hashes = new Map(originals.map(({ name, sha256 }) => [name, sha256]));
    const references: ReferenceFinding[] = [];
    const fileSizes: FileSizes = {};
    const clues = new Map<string, PlaceClues>();
    const userDecisions: Record<string, string> = {};
    const named = new Set(input.input_files);
    for (const files of batches(inputs.filter(({ name }) => named.has(name) && isSourceName(name)))) {
      signal.throwIfAborted();
      const sources = await Promise.all(
        files.map(async (file) => {
          const text = Buffer.from(await readSessionFile(this.store, file)).toString('utf8');
          return { name: file.name, text };
        }),
      );
      const found = await this.finder.find({ sources, available }, signal);
      for (const [index, { name: source, text }] of sources.entries()) {
        fileSizes[source] = sizeOfText(text);
        clues.set(source, readClues(source, text));
        const recalled = new Set(ask_again);
        for (const { match, ...reference } of found[index]!) {
          const { ref } = reference;
          references.push({ ...reference, source, asset: match });
          if (match !== null) await this.copyAsset(context, inputs, match);
          else if (!Object.hasOwn(userDecisions, ref) && !recalled.has(ref))
            await this.recall(context, hashes.get(source) ?? '', ref, userDecisions);
          recalled.add(ref);
        }
      }
    }
    const missing = [...new Set(references.filter(({ asset }) => asset === null).map(({ ref }) => ref))];
    const missingFirst = references.sort((a, b) => Number(a.asset !== null) - Number(b.asset !== null));
    return {
      missing_references: missing,
      references: missingFirst.slice(0, MAX_REFERENCES),
      user_decisions: userDecisions,
      file_sizes: fileSizes,
      order: readingOrder(input.input_files, clues),
    };
  }

  private async inputsOf({ tenantId, runId }: TaskContext): Promise<z.infer<typeof documentKind.inputs>> {
    const run = await this.runs.find(tenantId, runId);
    return documentKind.inputs.safeParse(run?.inputs).data ?? {};
  }

  /** Adds an input that a source references to the session's assets, unless the input is itself a source. */
  private async copyAsset(
    { tenantId, sessionId }: TaskContext,
    inputs: SessionFile[],
    name: string,
  ): Promise<void> {
    const input = inputs.find((file) => file.name === name);
    if (!input || isSourceName(name)) return;
    const { objectKey, size, sha256, mediaType } = input;
    await this.files.add(tenantId, { sessionId, folder: 'assets', name, objectKey, size, sha256, mediaType });
  }

  /** X2: reuses an earlier answer for the same source and reference. */
  private async recall(
    { tenantId, sessionId }: TaskContext,
    sourceHash: string,
    ref: string,
    decisions: Record<string, string>,
  ): Promise<void> {
    const answer = await this.remembered.find(tenantId, sourceHash, ref);
    if (!answer) return;
    if (answer.decision === 'skip') decisions[ref] = 'skip';
    if (answer.decision !== 'asset' || answer.file === null) return;
    if (!(await this.store.head(answer.file.objectKey))) return;
    if (await this.remembered.takeOver(tenantId, sessionId, { sourceHash, ref }, answer.file))
      decisions[ref] = answer.file.name;
  }
}

/** Files that are searched for references at once, and their bytes. */
const BATCH = { files: 50, bytes: 256 * 1024 };

/** Returns the files in groups that are searched at once; a large one is alone. */
function batches(files: SessionFile[]): SessionFile[][] {
  const groups: SessionFile[][] = [];
  let bytes = 0;
  for (const file of files) {
    const group = groups.at(-1);
    bytes += file.size;
    if (group && group.length < BATCH.files && bytes <= BATCH.bytes) group.push(file);
    else {
      groups.push([file]);
      bytes = file.size;
    }
  }
  return groups;
}

/** Returns the size of a text: its bytes in UTF-8, and its lines without an empty one behind the last line feed. */
export function sizeOfText(text: string): FileSizes[string] {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return { bytes: Buffer.byteLength(text), lines };
}
