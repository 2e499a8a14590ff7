import { newId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import type { ModelPort } from '#graphs/document/ports.js';
import { callModel } from '#llm/call-model.js';
import type { ChatModel } from '#llm/chat-model.js';
import { ModelError } from '#llm/model-error.js';
import { RunFailure, type HeldRun } from '#run-engine/engine.js';
import type { EventBuffer } from '#run-engine/event-buffer.js';
import { processMetrics, timed } from '#telemetry/metrics.js';
import { inSpan, SpanKind } from '#telemetry/tracing.js';

/** The chat model as a run uses it: tokens go to its events, usage to its ledger, once per step. */
export function meteredModel(
  { model, label }: ChatModel,
  db: Database,
  run: HeldRun,
  events: EventBuffer,
): ModelPort {
  return {
    async call({ messages, tools, signal, effectKey }) {
      try {
        const { message, usage } = await timed(
          () =>
            inSpan(
              'chat',
              { kind: SpanKind.CLIENT, attributes: { 'gen_ai.operation.name': 'chat' } },
              async (span) => {
                const answer = await callModel(model, messages, {
                  tools,
                  onToken: (text) => events.token(text),
                  ...(signal ? { signal } : {}),
                });
                span.setAttributes({
                  'gen_ai.response.model': answer.usage.model ?? label,
                  'gen_ai.usage.input_tokens': answer.usage.input_tokens,
                  'gen_ai.usage.output_tokens': answer.usage.output_tokens,
                });
                return answer;
              },
            ),
          (seconds, failed) =>
            processMetrics.modelCallSeconds.observe({ outcome: failed ? 'failed' : 'done' }, seconds),
        );
        await db.$executeRaw`
          INSERT INTO model_calls (id, tenant_id, run_id, effect_key, model, input_tokens, output_tokens, estimated)
          SELECT ${newId('cal')}, tenant_id, id, ${`${run.id}/${effectKey}`}, ${usage.model ?? label},
                 ${usage.input_tokens}, ${usage.output_tokens}, ${usage.estimated}
          FROM runs WHERE id = ${run.id} AND epoch = ${run.fence.epoch}
          ON CONFLICT (effect_key) DO NOTHING`;
        return message;
      } catch (error) {
        if (error instanceof ModelError) throw new RunFailure(error.code, error.message);
        throw error;
      }
    },
  };
}
