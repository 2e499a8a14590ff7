import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received span, with the service that sent it. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  attributes: Record<string, unknown>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        attributes: Attribute[];
      }[];
    }[];
  }[];
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Receives spans by OTLP over HTTP (JSON) and stores them. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** All received bodies, as text. */
  text = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.take(Buffer.concat(chunks).toString('utf8'));
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Returns the span with this ID. @throws Error if it was not sent */
  span(spanId: string | null): CollectedSpan {
    const found = this.spans.find((span) => span.spanId === spanId);
    if (!found) throw new Error(`no span ${spanId}`);
    return found;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(body: string): void {
    this.text += body;
    for (const { resource, scopeSpans } of (JSON.parse(body) as ExportRequest).resourceSpans)
      for (const { spans } of scopeSpans)
        for (const { name, traceId, spanId, parentSpanId, attributes } of spans)
          this.spans.push({
            service: String(valuesOf(resource.attributes)['service.name']),
            name,
            traceId,
            spanId,
            parentSpanId: parentSpanId || null,
            attributes: valuesOf(attributes),
          });
  }
}
