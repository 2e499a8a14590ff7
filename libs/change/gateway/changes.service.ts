import { ProblemError } from '#contracts/errors.js';
import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import type { TaskError } from '#contracts/task-error.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { isActive } from '#contracts/runs.js';
import { RunRepository, type Run } from '#db/repositories/runs.js';
import { ProposalRepository } from '#db/repositories/proposals.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import { ModelEndpoints } from '#kit/model/model-endpoints.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { sha256 } from '#contracts/sha256.js';
import type { ObjectStore } from '#storage/object-store.js';
import { sessionKey } from '#storage/session-keys.js';
import type { CitedPassage } from '#writing/citations.js';
import type { Selection } from '#writing/selection.js';
import { noteLabels } from '#writing/sentences.js';
import { Inject, Injectable, Controller } from '@nestjs/common';
import { changeKind, type ChangeInputs } from '../contract.js';
import {
  isAcceptable,
  type NewChange,
  type Proposal,
  proposalSchema,
  type SelectionChange,
} from '../contract/schemas.js';
import { locate, replace } from './selection.js';
import { changedMeanwhile, ChangeTargets, type AcceptedChange } from './targets.js';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';

/** Limits of the passages that a run gets. */
const MAX_PASSAGES = 40;
const MAX_PASSAGE_CHARACTERS = 60_000;

/** A stored proposal with its object key, in the state that people decided. */
interface Stored {
  key: string;
  proposal: Proposal;
  /** Whether that was decided in a Word file, whose review applies it. */
  isOfWord?: boolean;
}

/** Changes of selected parts of texts: starts the runs that propose them, and applies people's decisions. */
@Injectable()
export class ChangesService {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly models: ModelEndpoints,
    private readonly runs: RunsService,
    private readonly targets: ChangeTargets,
    private readonly results: SessionResultRepository,
    private readonly rows: RunRepository,
    private readonly proposals: ProposalRepository,
  ) {}

  /**
   * Starts the run that proposes a change.
   *
   * @param given ID of the run if the request may be a repeat, which must not start a second run
   * @throws ProblemError `no_model`, `invalid_request`, `run_active`, or a problem with the target
   */
  async propose(tenantId: string, request: NewChange, given?: string): Promise<SelectionChange> {
    if (given !== undefined && (await this.rows.has(tenantId, given))) return this.read(tenantId, given);
    const id = given ?? newId('run');
    const text = await this.targets.read(tenantId, request);
    const { instruction = '', replacement } = request;
    if (replacement === undefined && (await this.models.describe(tenantId)) === null)
      throw new ProblemError('no_model', phrase('no_model.change'));
    const selection = await locate(tenantId, text.content, request.selection);
    const { target, title, content, passages } = text;
    const inputs: ChangeInputs = {
      target,
      title: title.slice(0, 300),
      base: sha256(content),
      ...selection,
      instruction,
      // The selection has no white space at its ends either.
      ...(replacement !== undefined && { replacement: replacement.trim() }),
      passages: relevant(passages, selection),
    };
    const run = {
      kind: 'change',
      inputs,
      on_conflict: 'reject' as const,
      priority: 0,
      budget: request.budget,
    };
    const made = text.sessionId === null ? { id, newSession: { title: null } } : { id };
    await this.runs.startIn(tenantId, text.sessionId ?? newId('ses'), run, made);
    return this.read(tenantId, id);
  }

  /** @throws ProblemError `not_found` */
  async read(tenantId: string, runId: string): Promise<SelectionChange> {
    const run = await this.require(tenantId, runId);
    return view(run, (await this.stored(run))?.proposal ?? null);
  }

  /**
   * Applies a proposal, unless the text has changed since. Repeating it changes nothing.
   *
   * @throws ProblemError with the codes that the catalogue lists for `acceptChange`
   */
  async accept(tenantId: string, runId: string): Promise<SelectionChange> {
    const run = await this.require(tenantId, runId);
    const stored = await this.requireStored(run);
    const isNew = stored.proposal.state === 'proposed';
    const accepted = await this.decide(run, stored, 'accepted');
    if (accepted.isOfWord) return view(run, accepted.proposal);
    try {
      await this.apply({ tenantId, sessionId: run.sessionId, runId, proposal: accepted.proposal });
    } catch (error) {
      if (isNew) await this.move(run, accepted, stored);
      throw error;
    }
    await this.proposals.apply(tenantId, runId, [1], []);
    return view(run, accepted.proposal);
  }

  /** @throws ProblemError `not_found`, `decision_answered`, `no_proposal` */
  async reject(tenantId: string, runId: string): Promise<SelectionChange> {
    const run = await this.require(tenantId, runId);
    const { proposal } = await this.decide(run, await this.requireStored(run), 'rejected');
    await this.proposals.decide(tenantId, runId, {}, { state: 'rejected' });
    return view(run, proposal);
  }

  private async apply(change: AcceptedChange): Promise<void> {
    const { proposal } = change;
    // Clients store such a text themselves.
    if (proposal.target.kind === 'text') return;
    const present = await this.targets.present(change);
    const { start } = proposal.span;
    if (sha256(present) === proposal.base) {
      const changed = await replace(change.tenantId, present, proposal.span, proposal.after);
      return this.targets.write(change, present, changed);
    }
    // An earlier request may have applied it and failed before its response.
    const end = start + proposal.after.length;
    const original = present.slice(0, start) + proposal.before + present.slice(end);
    if (present.slice(start, end) !== proposal.after || sha256(original) !== proposal.base)
      throw changedMeanwhile();
  }

  /** Records the decision; the first one counts. */
  private async decide(run: Run, stored: Stored, state: 'accepted' | 'rejected'): Promise<Stored> {
    if (stored.proposal.state === state) return stored;
    const proposal = { ...stored.proposal, state };
    const json = JSON.stringify(proposal);
    const key = sessionKey(
      run.tenantId,
      run.sessionId,
      'results',
      `proposal-${sha256(`${run.id}\n${json}`)}.json`,
    );
    await this.store.put(key, Buffer.from(json), { contentType: 'application/json; charset=utf-8' });
    const decided = { key, proposal };
    if (stored.proposal.state === 'proposed' && (await this.move(run, stored, decided))) return decided;
    const now = await this.requireStored(run);
    if (now.proposal.state === state) return now;
    throw new ProblemError('decision_answered', phrase(`decision_answered.${now.proposal.state}`));
  }

  private move({ tenantId, sessionId, id: runId }: Run, from: Stored, to: Stored): Promise<boolean> {
    const move = { name: 'proposal', from: from.key, to: to.key };
    return this.results.exchange(tenantId, { sessionId, runId }, [move]);
  }

  /** @throws ProblemError `not_found` */
  private async require(tenantId: string, runId: string): Promise<Run> {
    const run = await this.runs.require(tenantId, runId);
    if (run.kind !== 'change') throw new ProblemError('not_found', phrase('not_found.run'));
    return run;
  }

  private async requireStored(run: Run): Promise<Stored> {
    const stored = await this.stored(run);
    if (stored) return stored;
    throw new ProblemError(
      'no_proposal',
      phrase(isActive(run.status) ? 'no_proposal.still_working' : 'no_proposal.ended'),
    );
  }

  private async stored({ tenantId, id }: Run): Promise<Stored | null> {
    const results = await this.results.ofRun(tenantId, id);
    const key = results.find(({ name }) => name === 'proposal')?.objectKey;
    if (!key) return null;
    const json = Buffer.from(await this.store.getBytes(key)).toString('utf8');
    const proposal = proposalSchema.parse(JSON.parse(json));
    const [row] = proposal.state === 'proposed' ? await this.proposals.all(tenantId, id) : [];
    const decided = proposalSchema.shape.state.safeParse(row?.state).data;
    return decided ? { key, proposal: { ...proposal, state: decided }, isOfWord: true } : { key, proposal };
  }
}

/** Returns the passages for a run, within the limits. Passages that the excerpt cites come first. */
function relevant(passages: CitedPassage[], { before, selected, after }: Selection): CitedPassage[] {
  const cited = new Set(noteLabels(before + selected + after));
  const sorted = passages.toSorted((a, b) => Number(cited.has(b.label)) - Number(cited.has(a.label)));
  let room = MAX_PASSAGE_CHARACTERS;
  return sorted
    .slice(0, MAX_PASSAGES)
    .flatMap(({ label, source_id, source_title, text, span, heading_path, author, date }) => {
      room -= text.length;
      return room < 0 ? [] : [{ label, source_id, source_title, text, span, heading_path, author, date }];
    });
}

function view(run: Run, proposal: Proposal | null): SelectionChange {
  const { target, instruction, span, selected } = changeKind.inputs.parse(run.inputs);
  const ended = isActive(run.status) ? 'proposing' : 'failed';
  const error = run.error as TaskError | null;
  return {
    run_id: run.id,
    session_id: run.sessionId,
    state: proposal?.state ?? ended,
    target,
    instruction,
    span,
    before: selected,
    after: proposal?.after ?? null,
    note: proposal?.note ?? null,
    findings: proposal?.findings ?? [],
    acceptable: proposal !== null && isAcceptable(proposal),
    ledger: proposal?.ledger ?? null,
    error: error && { code: error.code, ...messageOf(detailOf(error)) },
  };
}

@Controller()
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Route('proposeChange')
  propose({ tenantId, body }: EndpointRequest<'proposeChange'>, @IdFromKey('run') runId: string | undefined) {
    return this.changes.propose(tenantId, body, runId);
  }

  @Route('getChange')
  get({ tenantId, params: { run_id: runId } }: EndpointRequest<'getChange'>) {
    return this.changes.read(tenantId, runId);
  }

  @Route('acceptChange')
  accept({ tenantId, params: { run_id: runId } }: EndpointRequest<'acceptChange'>) {
    return this.changes.accept(tenantId, runId);
  }

  @Route('rejectChange')
  reject({ tenantId, params: { run_id: runId } }: EndpointRequest<'rejectChange'>) {
    return this.changes.reject(tenantId, runId);
  }
}
