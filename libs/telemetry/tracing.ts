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
  /** IDs, names and counts; never text of a tenant. */
  attributes?: Attributes;
  /** W3C trace context of the parent span, possibly of another process. Default: the current span. */
  parent?: string | null;
}

const tracer = trace.getTracer('scriptorium');
let isOn = false;

/** Returns whether spans are exported; prepare them only then. */
export const isTracing = (): boolean => isOn;

/**
 * Exports this process's spans to a collector by OTLP over HTTP. Without an endpoint nothing is loaded, and
 * every span is a no-op.
 *
 * @param endpoint base URL of the collector, such as `http://collector:4318`
 * @returns a function that sends the remaining spans and stops
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

/**
 * Returns the current span as a W3C `traceparent`, to store with work that continues elsewhere; null without
 * tracing.
 */
export function currentTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

function parentContext(parent: string | null | undefined): Context {
  return parent ? propagation.extract(ROOT_CONTEXT, { traceparent: parent }) : context.active();
}

/** Starts a span that the caller must end; the context is for `within`. */
export function beginSpan(
  name: string,
  { parent, ...options }: SpanOptions,
): { span: Span; context: Context } {
  const outer = parentContext(parent);
  const span = tracer.startSpan(name, options, outer);
  return { span, context: trace.setSpan(outer, span) };
}

/** Runs work with a context, so that its spans become children of the context's span. */
export const within = <T>(of: Context, work: () => T): T => context.with(of, work);

/**
 * Marks a span as failed, with the error's code or name. Omits the message, which may quote text of a tenant.
 */
export function failSpan(span: Span, error: unknown): void {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code : String(name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Runs work in a span that ends with it; spans created in between are its children. */
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
