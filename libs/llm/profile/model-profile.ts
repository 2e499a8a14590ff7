import { sha256 } from '#contracts/sha256.js';
import { modelFactsSchema, UNKNOWN_FACTS, type ModelFacts } from '#contracts/model-facts.js';
import { z } from 'zod';
import { AcceptedRequest, acceptedRequestSchema } from '../wire/accepted-request.js';

/** Base URL of an endpoint without one. */
export const OPENAI = 'https://api.openai.com/v1';

/**
 * Returns the key of an endpoint, which does not show its address. Tenants share nothing that is known about a
 * server, even if they use the same one.
 *
 * @param owner tenant whose endpoint it is; undefined for the installation's
 */
export const endpointKey = (baseUrl: string, owner: string | undefined): string =>
  sha256(JSON.stringify([owner ?? null, baseUrl]));

/** Stored form of a profile. */
export const storedProfileSchema = z.object({ facts: modelFactsSchema, accepted: acceptedRequestSchema });
type StoredProfile = z.infer<typeof storedProfileSchema>;

/**
 * What is known about a model of an endpoint: the requests that the server accepts, and what the model can do.
 * Refusals and answers of every call add to it, a check asks for the rest.
 */
export class ModelProfile {
  readonly accepted = new AcceptedRequest(() => (this.version += 1));
  private noted: ModelFacts = { ...UNKNOWN_FACTS };
  /** Context window that people set; takes precedence over the server's report. */
  configuredWindow: number | null = null;
  /** Tokens that the server counts for each that is counted here, from its last answer or refusal; null before. */
  tokenRatio: number | null = null;
  /** Incremented by each change. */
  version = 0;

  get facts(): ModelFacts {
    const { format, answerTokens } = this.accepted;
    return {
      ...this.noted,
      context_tokens: this.configuredWindow ?? this.noted.context_tokens,
      output_tokens: answerTokens ?? this.noted.output_tokens,
      ...(format !== 'json_schema' && { json_schema: false }),
      ...(format === null && { json_object: false }),
    };
  }

  /** Notes facts; null and undefined do not change known facts. */
  note(facts: { [name in keyof ModelFacts]?: ModelFacts[name] | undefined }): void {
    const news = Object.entries(facts).filter(
      ([name, value]) =>
        value !== null && value !== undefined && value !== this.noted[name as keyof ModelFacts],
    );
    if (news.length === 0) return;
    Object.assign(this.noted, Object.fromEntries(news));
    this.version += 1;
  }

  stored(): StoredProfile {
    return { facts: this.noted, accepted: this.accepted.stored() };
  }

  restore({ facts, accepted }: StoredProfile): void {
    this.noted = { ...facts };
    this.accepted.restore(accepted);
  }
}

const profiles = new Map<string, ModelProfile>();

/**
 * Returns the profile of a model in this process.
 *
 * @param endpoint key of the endpoint
 */
export function profileOf(endpoint: string, model: string): ModelProfile {
  const key = JSON.stringify([endpoint, model]);
  const known = profiles.get(key) ?? new ModelProfile();
  profiles.set(key, known);
  return known;
}
