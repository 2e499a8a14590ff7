import type { ModelFacts } from '#contracts/model-facts.js';
import type { Database } from '#db/client.js';
import { ModelProfileRepository, type ProfileKey } from '#db/repositories/model-profiles.js';
import { endpointKey, OPENAI } from '#llm/profile/endpoint-key.js';
import { checkModel } from '#llm/profile/check-model.js';
import { readListedModel } from '#llm/profile/listed-model.js';
import { ModelProfile, profileOf, storedProfileSchema } from '#llm/profile/model-profile.js';
import type { DescribedEndpoint, ModelEndpoint } from './model-endpoints.js';

/** How long a stored profile counts as read, so that the checks of other processes are noticed. */
const READ_AGAIN_MS = 60_000;

/** Facts about a model, and when it was last checked completely. */
export interface KnownModel {
  facts: ModelFacts;
  checkedAt: Date | null;
}

/** What this process knows of the stored row. */
interface Known {
  version: number;
  updatedAt: Date | null;
  readAt: number;
}

/** Profiles of models: known in the process, and stored for all of them. */
export class ProfileStore {
  private readonly rows: ModelProfileRepository;
  private readonly known = new WeakMap<ModelProfile, Known>();
  private readonly loading = new Map<ModelProfile, Promise<void>>();

  constructor(db: Database) {
    this.rows = new ModelProfileRepository(db);
  }

  /**
   * Returns the profile of a model. Its first use reads from the server's list of models how large the window is;
   * that costs no tokens, and what else is known comes with the answers.
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

  /** Returns what is stored about a model, without asking its server. */
  async read(endpoint: DescribedEndpoint, model: string): Promise<KnownModel> {
    const row = await this.rows.find(keyOf(endpoint, model));
    const stored = storedProfileSchema.safeParse(row?.profile);
    const profile = new ModelProfile();
    if (stored.success) profile.restore(stored.data);
    profile.configuredWindow = endpoint.contextTokens ?? null;
    return { facts: profile.facts, checkedAt: row?.checkedAt ?? null };
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
   * @throws ModelError if it does not answer
   */
  async check(endpoint: ModelEndpoint, model: string): Promise<void> {
    const profile = await this.of(endpoint, model);
    await checkModel(serverOf(endpoint), model, profile);
    await this.save(keyOf(endpoint, model), profile, true);
  }

  private async load(key: ProfileKey, endpoint: ModelEndpoint, profile: ModelProfile): Promise<void> {
    const row = await this.rows.find(key);
    const stored = storedProfileSchema.safeParse(row?.profile);
    const known = this.known.get(profile);
    if (row && stored.success) {
      const isNews = known?.updatedAt?.getTime() !== row.updatedAt.getTime();
      // Keeps what the answers since the last save have shown.
      const { facts } = profile.stored();
      if (isNews) profile.restore(stored.data);
      if (known && isNews) profile.note(facts);
      this.remember(profile, row.updatedAt);
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

const serverOf = ({ baseUrl = OPENAI, apiKey, send }: ModelEndpoint) => ({ baseUrl, apiKey, send });

const keyOf = ({ owner, baseUrl = OPENAI }: DescribedEndpoint, model: string): ProfileKey => ({
  endpoint: endpointKey(baseUrl, owner),
  model,
  owner,
});
