import type { Logger } from '#telemetry/logger.js';
import { ModelError } from '#llm/model-error.js';
import type { ModelEndpoint } from '../model/model-endpoints.js';
import type { ProfileStore } from '../model/profile-store.js';

/** Time in ms that a stopping process waits for checks. */
const GRACE_MS = 2_000;

interface Use {
  endpoint: ModelEndpoint;
  models: string[];
  tenantId: string;
}

/**
 * Completes what is known about a model after the first run that used it. It does not delay the run, whose answers
 * show most of it; a failure does not concern the run and is stored with the model.
 */
export class FirstUse {
  private readonly uses = new Map<string, Use>();
  private readonly checked = new Set<string>();
  private readonly open = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly profiles: ProfileStore,
    private readonly log: Logger,
  ) {}

  /** Notes that a run got an answer of these models. */
  recordUse(runId: string, use: Use): void {
    if (!this.checked.has(keyOf(use))) this.uses.set(runId, use);
  }

  /** Checks the models that the ended run used, if that is still to be done. */
  ended(runId: string): void {
    const use = this.uses.get(runId);
    if (!use || this.checked.has(keyOf(use))) return;
    const key = keyOf(use);
    this.checked.add(key);
    for (const [id, other] of this.uses) if (keyOf(other) === key) this.uses.delete(id);
    const check = this.check(use).finally(() => this.open.delete(check));
    this.open.add(check);
  }

  /** Waits for the checks in progress; after `graceMs` it aborts the rest, which are stored as failed. */
  async close(graceMs = GRACE_MS): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(), graceMs);
    await Promise.all(this.open);
    clearTimeout(timer);
  }

  private async check({ endpoint, models, tenantId }: Use): Promise<void> {
    for (const model of models)
      try {
        await this.profiles.checkFirst(endpoint, model, tenantId, this.stopping.signal);
      } catch (error) {
        const code = error instanceof ModelError ? error.code : undefined;
        this.log.warn({ ...(code ? { code } : { err: error }) }, 'failed to check a model at its first use');
      }
  }
}

const keyOf = ({ endpoint: { owner, baseUrl }, models }: Use): string =>
  JSON.stringify([owner, baseUrl, models]);
