import type { RunEvent } from '#catalogue/events.js';
import type { ApiClient, DecisionView, RunView } from '#testing/api-client.js';
import { until } from '#testing/until.js';

type Json = Record<string, unknown>;
export type Chapter = Json & { id: string; title: string };
interface Review {
  score: number;
  guardrails: string[];
  revision: number;
  findings: { rule: string; message: string }[];
}
type WrittenChapter = Chapter & {
  content: string;
  review: Review;
  version: number;
  kept_paragraphs: string[];
};
interface Output {
  used_fallback: boolean;
  fallback_stages: string[];
  score: number | null;
  progress: { revision_count: number };
}

const outputOf = ({ progress }: RunView): Output =>
  (progress.details as { output_payload: Output }).output_payload;

/** A tenant's books over the REST API. */
export class BookClient {
  constructor(private readonly client: ApiClient) {}

  /** @param titles of chapters that are planned. @returns the id of the project */
  async create(profile: Json = {}, ...titles: string[]): Promise<string> {
    const body = { title: 'Salt and Light', language: 'en', chapter_length: 'short', ...profile };
    const { json } = await this.client.post('/api/books/projects', body);
    const id = String(json.id);
    if (titles.length > 0)
      await this.client.request('PATCH', `/api/books/projects/${id}`, {
        outline_json: { chapters: titles.map((title) => ({ title })) },
      });
    return id;
  }

  async start(project_id: string, mode: string, inputs: Json = {}, more: Json = {}): Promise<RunView> {
    const body = { project_id, mode, inputs, ...more };
    const { status, json, text } = await this.client.post('/api/agents/runs', body);
    if (status !== 202) throw new Error(text);
    return json as RunView;
  }

  /** Runs a mode to its successful end. @returns the output of the run */
  async run(project: string, mode: string, inputs: Json = {}): Promise<Output> {
    return outputOf(await this.client.completed((await this.start(project, mode, inputs)).id));
  }

  /**
   * Runs a mode to its end, and gives the same answer to each question about a failed model.
   *
   * @returns the ended run and the questions
   */
  async runAnswering(project: string, mode: string, inputs: Json, action: string) {
    const { id } = await this.start(project, mode, inputs);
    const questions: DecisionView[] = [];
    const isNew = ({ type, data }: RunEvent) =>
      type === 'decision_required' && !questions.some((asked) => asked.id === data['decision_id']);
    for (;;) {
      const last = (await this.client.events(id, isNew)).at(-1)!;
      if (last.type === 'done') break;
      const asked = (await this.client.get(`/api/decisions/${String(last.data['decision_id'])}`)).json;
      questions.push(asked as DecisionView);
      await this.client.post(`/api/decisions/${String(asked.id)}/answer`, { action });
    }
    const run = await this.client.run(id);
    return { run, output: outputOf(run), questions };
  }

  /** Returns the IDs of a run's child runs: waits for `atMost` `child_run` events or for the run's end. */
  async childrenOf(run: string, atMost: number): Promise<string[]> {
    const begun = new Set<string>();
    await this.client.events(run, ({ type, data }) => {
      if (type === 'child_run') begun.add(String(data['run_id']));
      return begun.size >= atMost;
    });
    return [...begun];
  }

  async chapters(project: string): Promise<Chapter[]> {
    const all: Chapter[] = [];
    let cursor: unknown = '';
    do {
      const from = cursor ? `&cursor=${String(cursor)}` : '';
      const page = await this.client.get(`/api/books/projects/${project}/chapters?limit=100${from}`);
      all.push(...(page.json.items as Chapter[]));
      cursor = page.json.next_cursor;
    } while (cursor);
    return all;
  }

  /** The first chapter, with its text. */
  async written(project: string): Promise<WrittenChapter> {
    const [first] = await this.chapters(project);
    const { json } = await this.client.get(`/api/books/chapters/${first!.id}`);
    return json as WrittenChapter;
  }

  /** Adds a note and waits until it is indexed. */
  async addSource(project: string, content: string): Promise<void> {
    const sources = `/api/books/projects/${project}/sources`;
    await this.client.post(sources, { title: 'Notes', content });
    await until(
      'the source of the book is ready',
      async () => (await this.client.get(sources)).json.items as { metadata_json: { state: string } }[],
      ([source]) => source!.metadata_json.state === 'ready',
    );
  }
}
