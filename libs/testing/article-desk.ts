import type { RunEvent } from '#catalogue/events.js';
import type { ApiClient, DecisionView, RunView } from './api-client.js';

type Json = Record<string, unknown>;

/** Calls of a tenant that writes articles, for tests: collections, runs and their questions. */
export class ArticleDesk {
  private readonly seen = new Set<unknown>();

  constructor(readonly client: ApiClient) {}

  /** Creates a collection with these texts and returns its ID. */
  async collection(purpose: 'knowledge' | 'style', texts: Record<string, string>): Promise<string> {
    const id = String((await this.post('/api/knowledge/collections', { name: purpose, purpose })).id);
    for (const [name, text] of Object.entries(texts))
      await this.post(`/api/knowledge/collections/${id}/sources`, {
        name,
        title: name.replace('.md', ''),
        text,
      });
    return id;
  }

  async start(mode: string, inputs: Json, budget: Json = {}): Promise<RunView> {
    const { id } = await this.post('/api/sessions', {});
    const body = { session_id: id, kind: 'article', mode, inputs, budget };
    return (await this.post('/api/agents/runs', body)) as RunView;
  }

  /** Waits for the next question of a run and returns it. */
  async asked(run: Pick<RunView, 'id'>): Promise<DecisionView> {
    const isNew = ({ type, data }: RunEvent) =>
      type === 'decision_required' && !this.seen.has(data['decision_id']);
    const last = (await this.client.events(run.id, isNew)).at(-1)!;
    if (last.type === 'done') throw new Error(`the run ended: ${JSON.stringify(last.data)}`);
    const id = last.data['decision_id'];
    this.seen.add(id);
    return (await this.client.get(`/api/decisions/${String(id)}`)).json as DecisionView;
  }

  async answer({ id }: Pick<DecisionView, 'id'>, body: Json): Promise<void> {
    await this.post(`/api/decisions/${id}/answer`, body);
  }

  /** Answers the next questions in order, without regard to their type, and returns them. */
  async answerInTurn(run: RunView, ...answers: Json[]): Promise<DecisionView[]> {
    const decisions: DecisionView[] = [];
    for (const body of answers) {
      const decision = await this.asked(run);
      decisions.push(decision);
      await this.answer(decision, body);
    }
    return decisions;
  }

  async ended(run: Pick<RunView, 'id'>): Promise<RunView> {
    await this.client.events(run.id);
    return this.client.run(run.id);
  }

  async result(run: Pick<RunView, 'session_id'>, name: string): Promise<string> {
    return (await this.client.get(`/api/sessions/${run.session_id}/results/article/${name}`)).text;
  }

  private async post(path: string, body: Json): Promise<Json> {
    const { status, json, text } = await this.client.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return json;
  }
}
