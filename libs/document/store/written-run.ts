import type { Database } from '#db/client.js';
import { valuesOf } from '#engine/history/saved-state.js';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import type { Run } from '#db/repositories/runs.js';
import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { RunnerDependencies } from '#kit/runner/feature.js';
import type { LedgerOmission } from '#verbatim/schema.js';
import type { DocumentState } from '../graph/state.js';

/** The current manuscript of a session, and the run that wrote it. */
export interface WrittenManuscript {
  pointer: string;
  run: Pick<Run, 'id' | 'status' | 'inputs' | 'model' | 'createdAt'>;
  /** Last graph checkpoint of the run. */
  checkpointId: string;
}

const RUN_FIELDS = { id: true, status: true, inputs: true, model: true, createdAt: true } as const;
/** Number of runs that are looked at. */
const LOOKED_AT = 100;

/**
 * Finds the current manuscript of a session and the run that wrote it. The manuscript belongs to the newest run;
 * conversions that did not complete are passed over, because they write nothing.
 *
 * @returns `unfinished` if the run did not complete: its coverage was neither reached nor accepted (D24)
 */
export async function findWrittenManuscript(
  db: Database,
  tenantId: string,
  sessionId: string,
): Promise<WrittenManuscript | 'not_started' | 'unfinished'> {
  for await (const written of runsOfManuscript(db, tenantId, sessionId)) {
    if (written.run.status === 'completed') return written;
    if (!isConversion(written.run)) return 'unfinished';
  }
  return 'not_started';
}

/** The last completed document of a session, as people have left it. */
export interface LeftDocument {
  /** Its run wrote the document; its `pointer` is the version with the changes of people. */
  written: WrittenManuscript;
  /** Whether people have changed what the rules or the model wrote. */
  isChanged: boolean;
}

/**
 * Finds the last completed document of a session (X6). Reruns that did not complete are passed over; the version that
 * they replaced counts, with all that people had changed.
 */
export async function findLeftDocument(
  db: Database,
  tenantId: string,
  sessionId: string,
): Promise<LeftDocument | null> {
  const checkpoints = new GraphCheckpointRepository(db);
  let left: string | null = null;
  let isReplaced = false;
  for await (const written of runsOfManuscript(db, tenantId, sessionId)) {
    if (isConversion(written.run)) continue;
    const { run, checkpointId, pointer } = written;
    const state = await stateOf(checkpoints, tenantId, run.id, checkpointId);
    const own = state.temp_md_path ?? pointer;
    if (run.status === 'completed') {
      left ??= isReplaced ? own : pointer;
      const isChanged = left !== own || (state.taken_over?.edited.kept ?? []).length > 0;
      return { written: { ...written, pointer: left }, isChanged };
    }
    left ??= state.taken_over?.manuscript ?? null;
    isReplaced = true;
  }
  return null;
}

/**
 * Yields the runs that may have written the current manuscript of a session, newest first: those up to the run that owns
 * it. Runs that did not begin are passed over.
 */
export async function* runsOfManuscript(
  db: Database,
  tenantId: string,
  sessionId: string,
): AsyncGenerator<WrittenManuscript> {
  const manuscript = await new SessionResultRepository(db).find(
    tenantId,
    sessionId,
    'manuscript',
    'document',
  );
  const owner = manuscript && (await db.run.findFirst({ where: { id: manuscript.runId, tenantId } }));
  if (!owner) return;
  const runs = await db.run.findMany({
    where: {
      ...{ tenantId, sessionId, kind: 'document', rolledBackAt: null },
      createdAt: { lte: owner.createdAt },
    },
    select: RUN_FIELDS,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LOOKED_AT,
  });
  const checkpoints = new GraphCheckpointRepository(db);
  for (const run of runs) {
    const checkpointId = await checkpoints.newest(tenantId, run.id);
    if (checkpointId !== null) yield { pointer: manuscript.objectKey, run, checkpointId };
  }
}

/** Returns the manuscript of a run, and what it took over from an earlier document (X6). */
async function stateOf(
  checkpoints: GraphCheckpointRepository,
  tenantId: string,
  runId: string,
  checkpointId: string,
): Promise<Partial<Pick<DocumentState, 'taken_over' | 'temp_md_path'>>> {
  const saved = await checkpoints.find(tenantId, runId, checkpointId);
  return valuesOf(saved!, ['taken_over', 'temp_md_path']);
}

/** Returns whether a run only converts the manuscript. */
export const isConversion = ({ inputs }: Pick<Run, 'inputs'>): boolean =>
  (inputs as { export_only?: unknown }).export_only === true;

/** Values of the state that a conversion takes over from the run that wrote the manuscript. */
const TAKEN_OVER = [
  'text_files',
  'file_sizes',
  'missing_references',
  'user_decisions',
  'left_out',
  'encodings',
  'accepted_issues',
  'acceptances',
  'last_checkpoint_id',
  'document_outline',
  'model_recovery',
  'input_hashes',
  'temp_md_path',
  'ledger_path',
  'taken_over',
] as const satisfies (keyof DocumentState)[];

/** The current manuscript of a session, and what its last run knew about it. */
export interface WrittenDocument {
  pointer: string;
  /** Model that wrote it. */
  author: string;
  /** Inputs of the run. */
  inputs: WrittenManuscript['run']['inputs'];
  state: Partial<DocumentState>;
}

/** What a run begins with, in addition to the names of its inputs. */
export interface BeforeRun {
  /** Returns the current manuscript. @throws RunFailure `no_manuscript` */
  written(run: HeldRun): Promise<WrittenDocument>;
  /** Returns the session's last completed document as people have left it. */
  left(run: HeldRun): Promise<(WrittenDocument & { isChanged: boolean }) | null>;
  /** Returns the SHA-256 of each input, by name. */
  hashes(run: HeldRun): Promise<Record<string, string>>;
  /** Returns the text of a stored ledger. */
  ledger(key: string): Promise<string>;
}

/** Creates the port that reads what a run begins with. */
export function beforeRun({ db, store }: RunnerDependencies): BeforeRun {
  const describe = async (tenantId: string, { pointer, run, checkpointId }: WrittenManuscript) => {
    const saved = await new GraphCheckpointRepository(db).find(tenantId, run.id, checkpointId);
    const state = valuesOf(saved!, [...TAKEN_OVER]);
    const kept = Object.fromEntries(TAKEN_OVER.flatMap((key) => (key in state ? [[key, state[key]]] : [])));
    return { pointer, author: run.model ?? OFFLINE_WRITER, inputs: run.inputs, state: kept };
  };
  return {
    async written({ tenantId, sessionId }) {
      const written = await findWrittenManuscript(db, tenantId, sessionId);
      if (typeof written === 'string')
        throw new RunFailure('no_manuscript', phrase(`no_manuscript.${written}`));
      return describe(tenantId, written);
    },
    async left({ tenantId, sessionId }) {
      const left = await findLeftDocument(db, tenantId, sessionId);
      return left && { ...(await describe(tenantId, left.written)), isChanged: left.isChanged };
    },
    async hashes({ tenantId, sessionId }) {
      const inputs = await new SessionFileRepository(db).list(tenantId, sessionId, 'inputs');
      return Object.fromEntries(inputs.map(({ name, sha256 }) => [name, sha256]));
    },
    ledger: async (key) => Buffer.from(await store.getBytes(key)).toString('utf8'),
  };
}

/**
 * Returns the lines of sources from which people departed: they accepted changes of a returned Word file that change these
 * lines (X9). The changes belong to the manuscript that the last writing run made; that run itself has none.
 *
 * @param runId the run that validates
 */
export async function findDepartures(
  db: Database,
  { tenantId, sessionId, runId }: { tenantId: string; sessionId: string; runId: string },
): Promise<LedgerOmission[]> {
  const applied = await db.proposal.findMany({
    where: { tenantId, sessionId, appliedAt: { not: null }, sourceName: { not: null }, lead: null },
    orderBy: [{ appliedAt: 'asc' }, { number: 'asc' }],
  });
  if (applied.length === 0) return [];
  const isStanding = await standingChanges(db, tenantId, sessionId, runId);
  const keys = new ApiKeyRepository(db);
  const names = new Map<string, string>();
  for (const { decidedBy } of applied)
    if (decidedBy !== null && !names.has(decidedBy))
      names.set(decidedBy, (await keys.nameOf(tenantId, decidedBy)) ?? decidedBy);
  return applied.flatMap(({ appliedAt, sourceName, sourceLine, sourceLastLine, decidedBy }) => {
    if (!isStanding(sourceName!, appliedAt!)) return [];
    const who = names.get(decidedBy ?? '') ?? '';
    return [
      {
        ...{ source: sourceName!, first_line: sourceLine!, last_line: sourceLastLine ?? sourceLine! },
        reason: englishText(phrase('omission.departure', { who })),
      },
    ];
  });
}

/**
 * Returns whether a change of a line of a source is in the manuscript that a run validates: it was applied after the run
 * that wrote everything, and each later run kept the chapter.
 */
async function standingChanges(
  db: Database,
  tenantId: string,
  sessionId: string,
  runId: string,
): Promise<(source: string, appliedAt: Date) => boolean> {
  const later: { from: Date; kept: Set<string> }[] = [];
  const checkpoints = new GraphCheckpointRepository(db);
  for await (const { run, checkpointId } of runsUpTo(db, tenantId, sessionId, runId)) {
    if (isConversion(run)) continue;
    const { taken_over: taken } = await stateOf(checkpoints, tenantId, run.id, checkpointId);
    if (!taken)
      return (source, at) =>
        at >= run.createdAt && later.every(({ from, kept }) => at >= from || kept.has(source));
    later.push({ from: run.createdAt, kept: new Set(taken.kept) });
  }
  return () => false;
}

/** Yields the run with the ID, and the earlier runs of its manuscript, newest first. */
async function* runsUpTo(db: Database, tenantId: string, sessionId: string, runId: string) {
  const run = await db.run.findFirst({ where: { id: runId, tenantId }, select: RUN_FIELDS });
  const checkpointId = await new GraphCheckpointRepository(db).newest(tenantId, runId);
  if (run && checkpointId !== null) yield { run, checkpointId };
  for await (const written of runsOfManuscript(db, tenantId, sessionId))
    if (written.run.id !== runId) yield written;
}
