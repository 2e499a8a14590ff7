import { withoutEnding } from '#contracts/text.js';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** Milliseconds that the last export may delay the end of a process. */
const LAST_EXPORT_MS = 2_000;

/**
 * Loads the OpenTelemetry SDK. The SDK itself reads the other standard variables (`OTEL_TRACES_SAMPLER`,
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_…`).
 *
 * @returns a function that sends the remaining spans and stops
 */
export function exportSpans(app: string, endpoint: string): () => Promise<void> {
  const url = `${withoutEnding(endpoint, '/')}/v1/traces`;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'scriptorium',
      'service.name': `scriptorium-${app}`,
      'service.instance.id': String(process.pid),
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  return async () => {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, LAST_EXPORT_MS).unref());
    await Promise.race([provider.shutdown().catch(() => undefined), limit]);
  };
}
