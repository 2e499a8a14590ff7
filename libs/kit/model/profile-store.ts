import { phrase } from '#contracts/phrases/phrase.js';
import type { ModelFacts } from '#contracts/model-facts.js';
import type { Database } from '#db/client.js';
import { ModelProfileRepository, type ProfileKey } from '#db/repositories/model-endpoints.js';
import {
  ModelProfile,
  profileOf,
  storedProfileSchema,
  endpointKey,
  OPENAI,
} from '#llm/profile/model-profile.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { checkModel, checkRest, type Spend } from '#llm/profile/check-model.js';
import { ModelError } from '#llm/model-error.js';
import { readListedModel, type ModelServer } from '#llm/wire/listed-model.js';
import type { DescribedEndpoint, ModelEndpoint } from './model-endpoints.js';

/** Time in ms after which a stored profile is read again, to notice checks by other processes. */
const READ_AGAIN_MS = 60_000;

/** Facts about a model, and when it was last checked completely. */
interface KnownModel {
  facts: ModelFacts;
  checkedAt: Date | null;
  /** Reason why the last check failed; null if it succeeded. */
  checkFailed: string | null;
}

/** Version and times of the stored row that this process read last. */
interface Known {
  version: number;
  updatedAt: Date | null;
  readAt: number;
}

/** Profiles of models: known in the process, and stored for all of them. */
export class ProfileStore {
  private readonly rows: ModelProfileRepository;
  private readonly usage: ModelUsageRepository;
  private readonly known = new WeakMap<ModelProfile, Known>();
  private readonly loading = new Map<ModelProfile, Promise<void>>();

  constructor(db: Database) {
    this.rows = new ModelProfileRepository(db);
    this.usage = new ModelUsageRepository(db);
  }

  /**
   * Returns the profile of a model. Its first use reads the size of the window from the server's list of models, which
   * costs no tokens; answers and `checkFirst` add the rest.
   */
  async of(endpoint: ModelEndpoint, model: string): Promise<ModelProfile> {
    const key = keyOf(endpoint, model);
    const profile = profileOf(key.endpoint, model);
    profile.configuredWindow = endpoint.contextTokens ?? null;
    const known = this.known.get(profile);
    if (known && performance.now() - known.readAt < READ_AGAIN_MS) return profile;
    const load =
      this.loading.get(profile) ??
      this.load(key, endpoint, profile).finally(() => this.loading.delete(profile));
    this.loading.set(profile, load);
    await load;
    return profile;
  }

  /** Returns the stored facts about a model, without asking its server. */
  async read(endpoint: DescribedEndpoint, model: string): Promise<KnownModel> {
    const row = await this.rows.find(keyOf(endpoint, model));
    const stored = storedProfileSchema.safeParse(row?.profile);
    const profile = new ModelProfile();
    if (stored.success) profile.restore(stored.data);
    profile.configuredWindow = endpoint.contextTokens ?? null;
    const { checkedAt = null, checkFailed = null } = row ?? {};
    return { facts: profile.facts, checkedAt, checkFailed };
  }

  /** Stores a profile if answers added to it. */
  async keep(endpoint: ModelEndpoint, model: string): Promise<void> {
    const key = keyOf(endpoint, model);
    const profile = profileOf(key.endpoint, model);
    if (this.known.get(profile)?.version === profile.version) return;
    await this.save(key, profile, false);
  }

  /**
   * Asks the server what a model can do.
   *
   * @param tenantId tenant whose usage the tokens count as
   * @throws ModelError if it does not answer; the reason is stored
   */
  async check(endpoint: ModelEndpoint, model: string, tenantId: string): Promise<void> {
    const profile = await this.of(endpoint, model);
    await this.ask(endpoint, model, tenantId, (server, spend) => checkModel(server, model, profile, spend));
  }

  /**
   * After the first use of a model, asks the server for facts that the answers have not shown. Does so once, even if
   * several processes use the model.
   *
   * @throws ModelError if the server does not answer; the reason is stored
   */
  async checkFirst(
    endpoint: ModelEndpoint,
    model: string,
    tenantId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const profile = await this.of(endpoint, model);
    if (!(await this.rows.claimFirstCheck(keyOf(endpoint, model)))) return;
    await this.ask(endpoint, model, tenantId, (server, spend) =>
      checkRest({ ...server, signal }, model, profile, spend).catch((error: unknown) => {
        throw signal.aborted ? stopped() : error;
      }),
    );
  }

  private async ask(
    endpoint: ModelEndpoint,
    model: string,
    tenantId: string,
    check: (server: ModelServer, spend: Spend) => Promise<void>,
  ): Promise<void> {
    const key = keyOf(endpoint, model);
    const price = Object.hasOwn(endpoint.prices, model) ? endpoint.prices[model] : undefined;
    const spend: Spend = (tokens) => this.usage.enterWithoutRun(tenantId, model, price, tokens);
    try {
      await check(serverOf(endpoint), spend);
      await this.save(key, profileOf(key.endpoint, model), true);
    } catch (error) {
      if (error instanceof ModelError) await this.rows.failCheck(key, error.message);
      throw error;
    }
  }

  private async load(key: ProfileKey, endpoint: ModelEndpoint, profile: ModelProfile): Promise<void> {
    const row = await this.rows.find(key);
    const stored = storedProfileSchema.safeParse(row?.profile);
    if (row && stored.success) {
      const isNews = this.known.get(profile)?.updatedAt?.getTime() !== row.updatedAt.getTime();
      const { facts } = profile.stored();
      if (isNews) profile.restore(stored.data);
      this.remember(profile, row.updatedAt);
      // `keep` stores what answers have shown since the last save, also to another store of this process.
      if (isNews) profile.note(facts);
      return;
    }
    const listed = await readListedModel(serverOf(endpoint), key.model);
    if (listed) profile.note(listed);
    // A server that did not answer is asked again.
    if (listed) await this.save(key, profile, false);
    else this.remember(profile, null);
  }

  private async save(key: ProfileKey, profile: ModelProfile, wasChecked: boolean): Promise<void> {
    this.remember(profile, await this.rows.save(key, profile.stored(), wasChecked));
  }

  private remember(profile: ModelProfile, updatedAt: Date | null): void {
    const { version } = profile;
    this.known.set(profile, { version, updatedAt, readAt: performance.now() });
  }
}

const stopped = (): ModelError =>
  new ModelError('model_unavailable', phrase('model_failure.model_unavailable.check_stopped'), true);

const serverOf = ({ baseUrl = OPENAI, apiKey, send }: ModelEndpoint) => ({ baseUrl, apiKey, send });

const keyOf = ({ owner, baseUrl = OPENAI }: DescribedEndpoint, model: string): ProfileKey => ({
  endpoint: endpointKey(baseUrl, owner),
  model,
  owner,
});
