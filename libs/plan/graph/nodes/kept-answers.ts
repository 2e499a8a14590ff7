import { createHash } from 'node:crypto';
import type { PlanPorts } from '../ports.js';

/** The model's answers for items of a `map`, so that a failed model costs no answer that it already gave. */
export class KeptAnswers {
  private constructor(private readonly answers: Map<string, unknown>) {}

  /** @param key object key of the answers of an earlier attempt; undefined if there was none */
  static async read(ports: Pick<PlanPorts, 'result'>, key: string | undefined): Promise<KeptAnswers> {
    const kept = key === undefined ? {} : ((await ports.result(key)) as Record<string, unknown>);
    return new KeptAnswers(new Map(Object.entries(kept)));
  }

  /** Returns the kept answer to an input, or else the one that `ask` returns, which is kept. */
  async of(input: unknown, ask: () => Promise<unknown>): Promise<unknown> {
    const key = createHash('sha256').update(JSON.stringify(input)).digest('base64url').slice(0, 16);
    if (!this.answers.has(key)) this.answers.set(key, await ask());
    return this.answers.get(key);
  }

  /** Stores the answers. @returns their object key; null if there are none */
  async keep(ports: Pick<PlanPorts, 'keepResult'>, task: string): Promise<string | null> {
    if (this.answers.size === 0) return null;
    const { result_key: key } = await ports.keepResult(`${task}.answers`, Object.fromEntries(this.answers));
    return key;
  }
}
