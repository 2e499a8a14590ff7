/** Beginning of a stream of server-sent events. */
const EVENT = /^(?:data|event|id|retry)?:/;
/** Number of characters by which the form of a body is recognised. */
const PEEKED = 8;

/**
 * Returns a successful body as server-sent events, which it may be under the wrong type. A server that does not stream
 * sends one JSON value, others send a value per line: each becomes an event.
 *
 * @throws SyntaxError if the body is neither
 */
export async function asEvents(body: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const { start, whole } = await peek(body);
  if (EVENT.test(start)) return whole;
  const values = valuesOf(await new Response(whole).text());
  const events = values.map((value) => `data: ${JSON.stringify(value)}\n\n`);
  return new Response(`${events.join('')}data: [DONE]\n\n`).body!;
}

function valuesOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

/** Returns the first visible characters of a body, and a body with all bytes. */
async function peek(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const read: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let start = '';
  let isAll = false;
  while (start.length < PEEKED && !isAll) {
    const { done, value } = await reader.read();
    isAll = done;
    if (value === undefined) continue;
    read.push(value);
    start = `${start}${decoder.decode(value, { stream: true })}`.trimStart();
  }
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => read.forEach((bytes) => controller.enqueue(bytes)),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { start, whole };
}
