import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';

export { SpanKind, type Span };

export interface SpanOptions {
  kind?: SpanKind;
  /** Ids, names and counts; never what a tenant wrote. */
  attributes?: Attributes;
  /** The W3C trace context of the span that caused this one, perhaps in another process; by default the current span. */
  parent?: string | null;
}

const tracer = trace.getTracer('scriptorium');
let isOn = false;

/** Whether spans are sent anywhere: only then is it worth preparing them. */
export const isTracing = (): boolean => isOn;

/**
 * Sends the spans of this process to a collector by OTLP over HTTP. Without an endpoint nothing is loaded, and every span
 * is a no-op.
 *
 * @param endpoint base URL of the collector, such as `http://collector:4318`
 * @returns sends what is left and stops
 */
export async function startTracing(app: string, endpoint: string | undefined): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => undefined;
  const { exportSpans } = await import('./trace-export.js');
  const stop = exportSpans(app, endpoint);
  isOn = true;
  return async () => {
    isOn = false;
    await stop();
  };
}

/** The current span as a W3C `traceparent`, to be kept where the work goes on; null when nothing is traced. */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

function parentContext(parent: string | null | undefined): Context {
  return parent ? propagation.extract(ROOT_CONTEXT, { traceparent: parent }) : context.active();
}

/** Begins a span that somebody else ends; the context is for `within`. */
export function beginSpan(
  name: string,
  { parent, ...options }: SpanOptions,
): { span: Span; context: Context } {
  const outer = parentContext(parent);
  const span = tracer.startSpan(name, options, outer);
  return { span, context: trace.setSpan(outer, span) };
}

/** Runs work so that the spans it makes are children of the context's. */
export const within = <T>(of: Context, work: () => T): T => context.with(of, work);

/** Marks a span as failed by the error's kind. Its message stays out: it may quote what a tenant wrote. */
export function failSpan(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code : String(name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs work as a span that ends with it; spans made meanwhile are its children. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const begun = beginSpan(name, options);
  try {
    return await within(begun.context, () => work(begun.span));
  } catch (error) {
    failSpan(begun.span, error);
    throw error;
  } finally {
    begun.span.end();
  }
}
