import { queueColumns } from '#testing/columns.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { TEST_ADMIN_PASSWORD, TestStack } from '#testing/test-stack.js';
import { TraceCollector, type CollectedSpan } from '#testing/trace-collector.js';

const SOURCE = 'Zwischenbericht über den Quellentext 4711';
const MODEL_KEY = 'sk-of-the-test';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

describe.each(queueColumns())('traces on the queue $name', (queue) => {
  let collector: TraceCollector;
  let model: ModelStub;
  let key: string;
  let runId: string;
  let trace: CollectedSpan[];

  beforeAll(async () => {
    collector = await TraceCollector.start();
    model = await startModelStub();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OPENAI_API_KEY: MODEL_KEY,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'stub-model',
    };
    const stack = await TestStack.start({ queue, env });
    try {
      const client = await stack.tenant();
      key = client.key!;
      const session = await client.sessionWith({ 'notes.md': `# Notes\n\n${SOURCE}\n` });
      const started = await client.request(
        'POST',
        '/api/agents/runs',
        { session_id: session },
        { traceparent: `00-${TRACE_ID}-${CALLER}-01` },
      );
      runId = String(started.json.id);
      expect((await client.events(runId)).at(-1)!.data).toMatchObject({ status: 'completed' });
    } finally {
      // Every process sends its remaining spans when it stops.
      await stack.stop();
    }
    trace = collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  });
  afterAll(async () => {
    await collector.stop();
    await model.stop();
  });

  const named = (pattern: RegExp) => trace.filter(({ name }) => pattern.test(name));
  const parentOf = ({ parentSpanId }: CollectedSpan) => collector.span(parentSpanId);

  it('one trace contains the request, the run, its nodes, the tasks of every worker and the model calls', () => {
    const [request, ...others] = named(/^POST \/api\/agents\/runs$/);
    expect(others).toEqual([]);
    expect(request).toMatchObject({ service: 'scriptorium-gateway', parentSpanId: CALLER });
    expect(request!.attributes).toMatchObject({ 'http.response.status_code': 202 });

    const legs = named(/^run advance$/);
    expect(legs.length).toBeGreaterThan(1);
    for (const leg of legs) {
      expect(leg).toMatchObject({ service: 'scriptorium-agent-runner', parentSpanId: request!.spanId });
      expect(leg.attributes).toMatchObject({ 'scriptorium.run_id': runId });
    }
    expect(legs.map(({ attributes }) => attributes['scriptorium.end'])).toContain('finished');

    const nodes = named(/^node /);
    expect(new Set(nodes.map(({ name }) => name))).toContain('node agent');
    for (const node of nodes) expect(parentOf(node).name).toBe('run advance');

    const tasks = named(/^task /);
    expect(new Set(tasks.map(({ service }) => service))).toEqual(
      new Set(['scriptorium-scanner', 'scriptorium-validator', 'scriptorium-converter']),
    );
    for (const task of tasks) {
      expect(task.attributes).toMatchObject({ 'scriptorium.run_id': runId });
      expect(`task ${parentOf(task).name.slice('node '.length)}`).toBe(task.name);
    }

    const calls = named(/^chat$/);
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) {
      expect(parentOf(call).name).toBe('node agent');
      expect(Number(call.attributes['gen_ai.usage.input_tokens'])).toBeGreaterThan(0);
    }
  });

  it('no span contains a word of a source or a secret', () => {
    for (const word of [
      ...SOURCE.split(' ').filter(({ length }) => length > 5),
      key,
      MODEL_KEY,
      TEST_ADMIN_PASSWORD,
    ])
      expect(collector.text).not.toContain(word);
    expect(collector.text).not.toMatch(/scr_[0-9a-f]{12}_/);
  });
});

describe('without a collector', () => {
  it('nothing of the SDK is loaded', async () => {
    const { startTracing, isTracing, currentTraceparent } = await import('#telemetry/tracing.js');
    await (
      await startTracing('test', undefined)
    )();
    expect([isTracing(), currentTraceparent()]).toEqual([false, null]);
  });
});
